import type { ReactNode } from 'react'
import { useMay } from '../../api/me.ts'
import { problemOf } from '../../parts/change-error.tsx'
import { SettingsForm } from '../../parts/settings-form.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field, Input, Select, Switch, TextArea } from '../../ui/field.tsx'
import { Group } from '../../ui/section.tsx'
import { linesOf } from './lines.ts'
import type { OwnApplication } from './read-applications.ts'
import { useSaveInFunctions } from './save-settings.ts'
import { WORDS } from './words.ts'

const { settings } = WORDS

type FormProps = { application: OwnApplication }

/** Name and client profile. */
export function GeneralSettings({ application }: FormProps): ReactNode {
  const { why } = useMay('developer')
  const { save, running, error, fields } = useSaveInFunctions(application)
  const draft = useDraft({ name: application.name, client_profile: application.client_profile })
  const { values } = draft
  return (
    <Group title={settings.general}>
      <SettingsForm
        label={settings.general}
        labels={{ name: settings.name, client_profile: settings.profile }}
        draft={draft}
        save={() => save(draft.changed)}
        running={running}
        error={error}
        fields={['name']}
        why={why}
      >
        <Field label={settings.name} error={problemOf(fields, 'name')}>
          <Input
            required
            maxLength={200}
            disabled={why !== undefined}
            value={values.name}
            onChange={(event) => draft.set({ name: event.target.value })}
          />
        </Field>
        <Field label={settings.profile} help={settings.profileHelp}>
          <Select
            disabled={why !== undefined}
            value={values.client_profile}
            onChange={(event) => draft.set({ client_profile: event.target.value === 'published' ? 'published' : 'standard' })}
            options={Object.entries(settings.profiles)}
          />
        </Field>
      </SettingsForm>
    </Group>
  )
}

/** Where browsers may come from and go to, and whether new accounts wait for the application. */
export function ConnectingSettings({ application }: FormProps): ReactNode {
  const { why } = useMay('owner')
  const { save, running, error, fields } = useSaveInFunctions(application)
  const draft = useDraft({
    origins: application.allowed_origins.join('\n'),
    redirects: application.allowed_redirects.join('\n'),
    confirm: application.confirm_accounts,
  })
  const { origins, redirects, confirm } = draft.values
  const store = () =>
    save({
      ...(draft.changed.origins !== undefined && { allowed_origins: linesOf(origins) }),
      ...(draft.changed.redirects !== undefined && { allowed_redirects: linesOf(redirects) }),
      ...(draft.changed.confirm !== undefined && { confirm_accounts: confirm }),
    })
  return (
    <Group title={settings.connecting} about={settings.connectingAbout}>
      <SettingsForm
        label={settings.connecting}
        labels={{ origins: settings.origins, redirects: settings.redirects, confirm: settings.confirm }}
        draft={draft}
        save={store}
        running={running}
        error={error}
        fields={['allowed_origins', 'allowed_redirects']}
        why={why}
      >
        <Field label={settings.origins} help={settings.originsHelp} error={problemOf(fields, 'allowed_origins')}>
          <TextArea
            mono
            spellCheck={false}
            disabled={why !== undefined}
            placeholder="https://app.example.com"
            value={origins}
            onChange={(event) => draft.set({ origins: event.target.value })}
          />
        </Field>
        <Field label={settings.redirects} help={settings.redirectsHelp} error={problemOf(fields, 'allowed_redirects')}>
          <TextArea
            mono
            spellCheck={false}
            disabled={why !== undefined}
            placeholder="https://app.example.com/connected"
            value={redirects}
            onChange={(event) => draft.set({ redirects: event.target.value })}
          />
        </Field>
        <Switch
          label={settings.confirm}
          help={settings.confirmHelp}
          disabled={why !== undefined}
          checked={confirm}
          onChange={(event) => draft.set({ confirm: event.target.checked })}
        />
      </SettingsForm>
    </Group>
  )
}

/** Whether predictions learn from calls and use the model server. */
export function LearningSettings({ application }: FormProps): ReactNode {
  const { why } = useMay('developer')
  const { save, running, error } = useSaveInFunctions(application)
  const { learn_from_use, share_learning, use_model } = application
  const draft = useDraft({ learn_from_use, share_learning, use_model })
  const turnsOff = learn_from_use && !draft.values.learn_from_use
  return (
    <Group title={settings.learning}>
      <SettingsForm
        label={settings.learning}
        labels={{ learn_from_use: settings.learn, share_learning: settings.share, use_model: settings.model }}
        draft={draft}
        save={() => save(draft.changed)}
        running={running}
        error={error}
        fields={[]}
        why={why}
      >
        <Switch
          label={settings.learn}
          help={turnsOff ? `${settings.learnHelp} ${settings.learnOff}` : settings.learnHelp}
          disabled={why !== undefined}
          checked={draft.values.learn_from_use}
          onChange={(event) => draft.set({ learn_from_use: event.target.checked })}
        />
        <Switch
          label={settings.share}
          help={settings.shareHelp}
          disabled={why !== undefined}
          checked={draft.values.share_learning}
          onChange={(event) => draft.set({ share_learning: event.target.checked })}
        />
        <Switch
          label={settings.model}
          help={settings.modelHelp}
          disabled={why !== undefined}
          checked={draft.values.use_model}
          onChange={(event) => draft.set({ use_model: event.target.checked })}
        />
      </SettingsForm>
    </Group>
  )
}
