import type { listInsightsApplications as Listed, ResponseOf } from '@onward/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../../api/me.ts'
import type { Reading } from '../../api/queries.ts'
import { problemOf } from '../../parts/change-error.tsx'
import { ReadOnly } from '../../parts/read-only.tsx'
import { SettingsForm } from '../../parts/settings-form.tsx'
import { Suspension } from '../../parts/suspension.tsx'
import { formatNumber } from '../../text/format.ts'
import { WORDS as SHARED } from '../../text/words.ts'
import { useDraft } from '../../ui/draft.ts'
import { Field, Input } from '../../ui/field.tsx'
import { Stack } from '../../ui/page.tsx'
import { Group, Section } from '../../ui/section.tsx'
import { AgentSettings } from './agent-settings.tsx'
import { BrandSettings } from './brand-settings.tsx'
import { Danger } from './danger.tsx'
import { Embedding } from './embedding.tsx'
import { LimitSettings } from './limit-settings.tsx'
import type { OwnApplication } from './read-applications.ts'
import { useSaveInFunctions } from './save-settings.ts'
import styles from './settings.module.css'
import { ConnectingSettings, GeneralSettings, LearningSettings } from './settings-forms.tsx'
import { WORDS } from './words.ts'

const { settings } = WORDS

type RateName = keyof typeof settings.rate

const NAMES = Object.keys(settings.rate) as RateName[]

type SettingsProps = { application: OwnApplication; assigned: Reading<ResponseOf<typeof Listed>> }

/** The settings of an application in both services. Those of insights load and fail on their own. */
export function Settings({ application, assigned }: SettingsProps): ReactNode {
  const limits = assigned.data?.applications.find(({ app_key }) => app_key === application.app_key)
  const parts: readonly (readonly [id: string, title: string, part: ReactNode])[] = [
    ['general', settings.general, <GeneralSettings key="general" application={application} />],
    [
      'limits',
      settings.limits,
      <Section key="limits" title={settings.limits} about={settings.limitsAbout} reading={assigned}>
        {() => <LimitSettings application={application} limits={limits} />}
      </Section>,
    ],
    ['connecting', settings.connecting, <ConnectingSettings key="connecting" application={application} />],
    ['brand', WORDS.brand.title, <BrandSettings key="brand" application={application} />],
    ['agents', WORDS.agents.title, <AgentSettings key="agents" appKey={application.app_key} />],
    [
      'embedding',
      WORDS.embedding.title,
      <Section key="embedding" title={WORDS.embedding.title} about={WORDS.embedding.about} reading={assigned}>
        {() => <Embedding application={application} known={limits} />}
      </Section>,
    ],
    ['learning', settings.learning, <LearningSettings key="learning" application={application} />],
    ['rates', settings.rates, <RateSettings key="rates" application={application} />],
    ['suspension', SHARED.suspension.title, <Suspension key="suspension" of={{ app_key: application.app_key }} name={application.name} />],
    ['danger', WORDS.danger.title, <Danger key="danger" application={application} />],
  ]
  return (
    <div className={styles.page}>
      <nav aria-label={WORDS.one.tabs.settings} className={styles.index}>
        {parts.map(([id, title]) => (
          <Link key={id} to="." search={true} hash={id}>
            {title}
          </Link>
        ))}
      </nav>
      <Stack gap={6}>
        <ReadOnly />
        {parts.map(([id, , part]) => (
          <div key={id} id={id} className={styles.part}>
            {part}
          </div>
        ))}
      </Stack>
    </div>
  )
}

/** The rate limits of an application: of all its users together and of each user. */
function RateSettings({ application }: { application: OwnApplication }): ReactNode {
  const { why } = useMay('developer')
  const { save, running, error, fields } = useSaveInFunctions(application)
  const draft = useDraft(Object.fromEntries(NAMES.map((name) => [name, String(application[name])])) as Record<RateName, string>)
  const store = () => save(Object.fromEntries(Object.entries(draft.changed).map(([name, value]) => [name, Number(value)])))
  return (
    <Group title={settings.rates} about={settings.ratesAbout}>
      <SettingsForm
        label={settings.rates}
        labels={settings.rate}
        draft={draft}
        save={store}
        running={running}
        error={error}
        fields={NAMES}
        why={why}
      >
        <div className={styles.pairs}>
          {NAMES.map((name) => (
            <Field
              key={name}
              label={settings.rate[name]}
              help={settings.byDefault(formatNumber(settings.defaults[name]))}
              error={problemOf(fields, name)}
            >
              <Input
                type="number"
                inputMode="numeric"
                required
                min={1}
                max={1_000_000_000}
                step={1}
                disabled={why !== undefined}
                value={draft.values[name]}
                onChange={(event) => draft.set({ [name]: event.target.value })}
              />
            </Field>
          ))}
        </div>
      </SettingsForm>
    </Group>
  )
}
