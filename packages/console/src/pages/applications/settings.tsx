import type { listInsightsApplications as Listed, ResponseOf } from '@onward/contract'
import type { ReactNode } from 'react'
import { useMay } from '../../api/me.ts'
import type { Reading } from '../../api/queries.ts'
import { problemOf } from '../../parts/change-error.tsx'
import { SettingsForm } from '../../parts/settings-form.tsx'
import { formatNumber } from '../../text/format.ts'
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
  return (
    <Stack gap={6}>
      <GeneralSettings application={application} />
      <Section title={WORDS.settings.limits} about={WORDS.settings.limitsAbout} reading={assigned}>
        {() => <LimitSettings application={application} limits={limits} />}
      </Section>
      <ConnectingSettings application={application} />
      <BrandSettings application={application} />
      <AgentSettings appKey={application.app_key} />
      <Section title={WORDS.embedding.title} about={WORDS.embedding.about} reading={assigned}>
        {() => <Embedding application={application} known={limits} />}
      </Section>
      <LearningSettings application={application} />
      <RateSettings application={application} />
      <Danger application={application} />
    </Stack>
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
