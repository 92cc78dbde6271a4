import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { functions } from '../../api/doors.ts'
import { getMcpSignIn } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import { useApplicationField } from '../../parts/application-field.tsx'
import type { ApplicationName } from '../../parts/application-list.tsx'
import { PageLink, useDialogInAddress } from '../../shell/links.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Stack } from '../../ui/page.tsx'
import { Failure } from '../../ui/section.tsx'
import { Lines, Skeleton } from '../../ui/skeleton.tsx'
import { hostsFor } from './hosts.ts'
import { WORDS } from './words.ts'

const { hosts: words } = WORDS

/** How users add the MCP URL of an application to the agent that they have. */
export function AddAgent({ applications }: { applications: readonly ApplicationName[] }): ReactNode {
  const [open, setOpen] = useDialogInAddress('add')
  return (
    <>
      <Button icon={<Plus />} onClick={() => setOpen(true)}>
        {words.button}
      </Button>
      <Dialog open={open} title={words.title} width="wide" onClose={() => setOpen(false)}>
        <Snippets applications={applications} />
      </Dialog>
    </>
  )
}

function Snippets({ applications }: { applications: readonly ApplicationName[] }): ReactNode {
  const { appKey, field } = useApplicationField(applications)
  const [hostName, setHostName] = useState<string | undefined>(undefined)
  const { data, error, loading, retry } = useRead(functions, getMcpSignIn, { params: { app_key: appKey } }, { enabled: appKey !== '' })
  const hosts = hostsFor(data?.mcp_url ?? '')
  const host = hosts.find(({ name }) => name === hostName) ?? hosts[0]
  return (
    <Stack gap={4}>
      {field}
      <Field label={words.host}>
        <Select value={host?.name} onChange={(event) => setHostName(event.target.value)} options={hosts.map(({ name }) => [name, name])} />
      </Field>
      {error !== undefined && <Failure title={words.title} error={error} busy={loading} retry={retry} />}
      {appKey !== '' && data === undefined && error === undefined && (
        <Skeleton>
          <Lines count={3} />
        </Skeleton>
      )}
      {data !== undefined && host !== undefined && (
        <>
          <p>{host.steps}</p>
          <Code text={host.text} {...(host.language && { language: host.language })} label={host.name} wrap />
          <p>{words.signIn}</p>
          <p>
            <PageLink page="applications" path={`${encodeURIComponent(appKey)}/settings`}>
              {words.settings}
            </PageLink>
          </p>
        </>
      )}
    </Stack>
  )
}
