import type { getMcpSignIn as Get, ResponseOf } from '@onward/contract'
import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { getMcpSignIn, putMcpSignIn } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { problemOf } from '../../parts/change-error.tsx'
import { ifUnchanged } from '../../parts/clashes.tsx'
import { SettingsForm } from '../../parts/settings-form.tsx'
import { PageLink } from '../../shell/links.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field, Input, Switch } from '../../ui/field.tsx'
import { Facts, Stack } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { WORDS } from './words.ts'

const { agents: words } = WORDS

type SignIn = ResponseOf<typeof Get>

/** How users sign in to let programs act for them. */
export function AgentSettings({ appKey }: { appKey: string }): ReactNode {
  const reading = useRead(functions, getMcpSignIn, { params: { app_key: appKey } })
  const toAgents = (
    <PageLink page="agents" search={{ app_key: appKey }}>
      {words.toAgents}
    </PageLink>
  )
  return (
    <Section title={words.title} about={words.about} reading={reading} actions={toAgents}>
      {(signIn) => <SignInForm appKey={appKey} signIn={signIn} />}
    </Section>
  )
}

function SignInForm({ appKey, signIn }: { appKey: string; signIn: SignIn }): ReactNode {
  const { why } = useMay('owner')
  const { run, running, error, fields } = useChange(functions, putMcpSignIn, { refresh: [getMcpSignIn], done: WORDS.settings.saved })
  const { openid } = signIn
  const draft = useDraft({
    page: signIn.hand_off_url ?? '',
    withProvider: openid !== null,
    issuer: openid?.issuer ?? '',
    clientId: openid?.client_id ?? '',
    secret: '',
    claim: openid?.claim ?? 'sub',
  })
  const { values, set } = draft
  const keepsSecret = openid !== null && values.issuer === openid.issuer && values.clientId === openid.client_id
  const save = async () => {
    const { issuer, clientId: client_id, claim, secret } = values
    const provider = { issuer, client_id, claim, ...(secret !== '' && { client_secret: secret }) }
    const body = { hand_off_url: values.page || null, openid: values.withProvider ? provider : null }
    return (await run({ params: { app_key: appKey }, body: { ...body, ...ifUnchanged(signIn, body) } })) !== undefined
  }
  const disabled = why !== undefined
  return (
    <Stack gap={4}>
      <Facts
        facts={[
          [words.mcpUrl, <Id key="mcp" value={signIn.mcp_url} what={words.mcpUrl} full />],
          [words.redirectUrl, <Id key="redirect" value={signIn.redirect_url} what={words.redirectUrl} full />],
        ]}
      />
      <SettingsForm label={words.title} labels={LABELS} draft={draft} save={save} running={running} error={error} fields={FIELDS} why={why}>
        <Field label={words.page} help={words.pageHelp} error={problemOf(fields, 'hand_off_url')} optional>
          <Input
            mono
            type="url"
            maxLength={2048}
            spellCheck={false}
            disabled={disabled}
            placeholder="https://app.example.com/agents"
            value={values.page}
            onChange={(event) => set({ page: event.target.value })}
          />
        </Field>
        <Switch
          label={words.provider}
          help={words.providerHelp}
          disabled={disabled}
          checked={values.withProvider}
          onChange={(event) => set({ withProvider: event.target.checked })}
        />
        {values.withProvider && (
          <>
            <Field label={words.issuer} error={problemOf(fields, 'openid.issuer')}>
              <Input
                mono
                required
                type="url"
                maxLength={2048}
                spellCheck={false}
                disabled={disabled}
                placeholder="https://login.example.com"
                value={values.issuer}
                onChange={(event) => set({ issuer: event.target.value })}
              />
            </Field>
            <Field label={words.clientId} error={problemOf(fields, 'openid.client_id')}>
              <Input
                mono
                required
                maxLength={500}
                autoComplete="off"
                spellCheck={false}
                disabled={disabled}
                value={values.clientId}
                onChange={(event) => set({ clientId: event.target.value })}
              />
            </Field>
            <Field
              label={words.secret}
              help={keepsSecret ? words.secretKept : words.secretHelp}
              error={problemOf(fields, 'openid.client_secret')}
              optional={keepsSecret}
            >
              <Input
                mono
                required={!keepsSecret}
                type="password"
                maxLength={1000}
                autoComplete="new-password"
                spellCheck={false}
                disabled={disabled}
                value={values.secret}
                onChange={(event) => set({ secret: event.target.value })}
              />
            </Field>
            <Field label={words.claim} help={words.claimHelp} error={problemOf(fields, 'openid.claim')}>
              <Input
                mono
                required
                maxLength={100}
                spellCheck={false}
                disabled={disabled}
                value={values.claim}
                onChange={(event) => set({ claim: event.target.value })}
              />
            </Field>
          </>
        )}
      </SettingsForm>
    </Stack>
  )
}

const LABELS = { page: words.page, withProvider: words.provider, issuer: words.issuer, clientId: words.clientId, claim: words.claim }
const FIELDS = ['hand_off_url', 'openid.issuer', 'openid.client_id', 'openid.client_secret', 'openid.claim']
