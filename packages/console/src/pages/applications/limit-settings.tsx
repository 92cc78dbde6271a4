import type { ReactNode } from 'react'
import { useMay } from '../../api/me.ts'
import { problemOf } from '../../parts/change-error.tsx'
import { SettingsForm } from '../../parts/settings-form.tsx'
import { PageLink } from '../../shell/links.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Choice, Field, Input } from '../../ui/field.tsx'
import { Stack } from '../../ui/page.tsx'
import type { OwnApplication } from './read-applications.ts'
import { type KnownApplication, useSaveInInsights } from './save-settings.ts'
import styles from './settings.module.css'
import { WORDS } from './words.ts'

const { settings } = WORDS

type OnLimit = KnownApplication['on_limit']

/** An application that insights does not know yet has these values. */
const AS_NEW = { limit_period: 30, on_limit: 'allow' } as const

const LABELS = { period: settings.period, onLimit: settings.onLimit }

/** The length of the limit period, and what happens at the limit. */
export function LimitSettings({ application, limits }: { application: OwnApplication; limits: KnownApplication | undefined }): ReactNode {
  const { why } = useMay('developer')
  const { save, running, error, fields } = useSaveInInsights(application, limits)
  const { limit_period: period, on_limit: onLimit } = limits ?? AS_NEW
  const draft = useDraft<{ period: string; onLimit: OnLimit }>({ period: String(period), onLimit })
  const { values } = draft
  const store = () =>
    save({
      ...(draft.changed.period !== undefined && { limit_period: Number(values.period) }),
      ...(draft.changed.onLimit !== undefined && { on_limit: values.onLimit }),
    })
  return (
    <SettingsForm
      label={settings.limits}
      labels={LABELS}
      draft={draft}
      save={store}
      running={running}
      error={error}
      fields={['limit_period']}
      why={why}
    >
      <Field label={settings.period} help={settings.periodHelp} error={problemOf(fields, 'limit_period')}>
        <Input
          type="number"
          inputMode="numeric"
          required
          min={1}
          max={366}
          step={1}
          className={styles.short}
          disabled={why !== undefined}
          value={values.period}
          onChange={(event) => draft.set({ period: event.target.value })}
        />
      </Field>
      <Stack gap={2}>
        <p className={styles.label}>{settings.onLimit}</p>
        <Choice<OnLimit>
          label={settings.onLimit}
          value={values.onLimit}
          choices={(Object.entries(settings.onLimits) as [OnLimit, string][]).map(([value, label]) => ({ value, label }))}
          onChange={(next) => why === undefined && draft.set({ onLimit: next })}
        />
        <p className={styles.help}>{values.onLimit === 'block' ? settings.blockHelp : settings.allowHelp}</p>
      </Stack>
      <p>
        <PageLink page="users" search={{ app_key: application.app_key }}>
          {settings.users}
        </PageLink>
      </p>
    </SettingsForm>
  )
}
