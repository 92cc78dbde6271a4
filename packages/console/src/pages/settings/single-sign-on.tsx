import type { readSingleSignOn as Read, ResponseOf } from '@onward/contract'
import { LogIn } from 'lucide-react'
import type { ReactNode } from 'react'
import { insights } from '../../api/doors.ts'
import { readSingleSignOn } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { PageLink } from '../../shell/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { Facts, Stack } from '../../ui/page.tsx'
import { Group, Section } from '../../ui/section.tsx'
import { WORDS } from './words.ts'

const { sso: words } = WORDS

type SingleSignOnResponse = ResponseOf<typeof Read>

/** Whether people sign in with an OpenID provider, and how operators configure one. It is one for the whole deployment. */
export function SingleSignOn(): ReactNode {
  const { allowed, why } = useMay('owner')
  const reading = useRead(insights, readSingleSignOn, { query: { workspace_id: useWorkspaceId() } }, { enabled: allowed })
  if (why !== undefined) return <Empty icon={<LogIn />} title={words.title} help={why} />
  return (
    <Section title={words.title} about={words.about} reading={reading}>
      {(response) => (
        <Stack gap={6}>
          <Provider response={response} />
          <HowTo response={response} />
        </Stack>
      )}
    </Section>
  )
}

function Provider({ response: { provider, redirect_uri: redirect } }: { response: SingleSignOnResponse }): ReactNode {
  if (provider === null) {
    return (
      <Notice tone="info" title={words.off}>
        {words.offHelp}
      </Notice>
    )
  }
  return (
    <Facts
      facts={[
        [words.state, <Badge key="state" tone="good" text={words.on} />],
        [words.issuer, <Id key="issuer" value={provider.issuer} what={words.issuer} full />],
        [words.clientId, <Id key="client" value={provider.client_id} what={words.clientId} full />],
        [words.label, provider.label],
        [words.redirect, redirect === null ? words.noAddress : <Id key="redirect" value={redirect} what={words.redirect} full />],
        [words.who, <Who key="who" />],
      ]}
    />
  )
}

function Who(): ReactNode {
  return (
    <Stack gap={1}>
      <p>{words.whoHelp}</p>
      <PageLink page="people">{words.people}</PageLink>
    </Stack>
  )
}

function HowTo({ response: { provider, redirect_uri: redirect } }: { response: SingleSignOnResponse }): ReactNode {
  return (
    <Group title={provider === null ? words.setUp : words.change} about={words.setUpAbout}>
      <Stack gap={4}>
        <p>{words.register}</p>
        <Code text={redirect ?? words.redirectPattern} label={words.redirect} wrap />
        <p>{words.variables}</p>
        <Code text={VARIABLES} language="bash" label={words.variablesLabel} />
        <p>{words.more}</p>
      </Stack>
    </Group>
  )
}

const VARIABLES = `OIDC_ISSUER=https://accounts.example.com
OIDC_CLIENT_ID=onward
OIDC_CLIENT_SECRET=…
OIDC_LABEL=Sign in with Example
`
