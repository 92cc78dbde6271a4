import type { ApiKeyScope } from '@onward/contract'
import { KeySquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { insights } from '../../api/doors.ts'
import { getWorkspace, revokeApiKey } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { Badge, Tag } from '../../ui/badge.tsx'
import { DangerButton } from '../../ui/danger-button.tsx'
import { useNow } from '../../ui/media.ts'
import { Row } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { CreateApiKey } from './create-api-key.tsx'
import type { WorkspaceResponse } from './types.ts'
import { WORDS } from './words.ts'

const { workspace: words } = WORDS

type Key = WorkspaceResponse['keys'][number]

const COLUMNS: readonly Column<Key>[] = [
  { id: 'name', head: words.columns.name, width: 'grow', phone: 'title', text: ({ name }) => name },
  { id: 'key', head: words.columns.key, width: 130, phone: 'line', cell: ({ masked }) => (masked ? <code>{masked}</code> : '–') },
  { id: 'scopes', head: words.columns.scopes, width: 250, phone: 'line', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
  timeColumn({ id: 'used', head: words.columns.used, phone: 'named', at: ({ last_used_at: at }) => at }),
  { id: 'expires', head: words.columns.expires, width: 150, phone: 'named', cell: (key) => <Expiry apiKey={key} /> },
  timeColumn({ id: 'created', head: words.columns.created, phone: 'hide', at: ({ created_at: at }) => at }),
]

/** The API keys of the workspace, with their scopes. */
export function ApiKeys({ workspace: { workspace_id: workspaceId, keys } }: { workspace: WorkspaceResponse }): ReactNode {
  const { why } = useMay('owner')
  return (
    <Group title={words.keys} about={words.keysAbout} actions={<CreateApiKey workspaceId={workspaceId} why={why} />}>
      <Table
        caption={words.keys}
        columns={COLUMNS}
        rows={keys}
        sortable
        rowKey={({ id }) => id}
        empty={{ icon: <KeySquare />, title: words.noKeys, help: words.noKeysHelp }}
        actions={(key) => <RevokeKey workspaceId={workspaceId} apiKey={key} why={why} />}
      />
    </Group>
  )
}

function Scopes({ scopes }: { scopes: readonly ApiKeyScope[] }): ReactNode {
  const all = scopes.length === Object.keys(words.scopes).length
  return (
    <Row gap={1}>
      {all ? <Tag>{words.allScopes}</Tag> : scopes.map((scope) => <Tag key={scope}>{words.scopes[scope]?.name ?? scope}</Tag>)}
    </Row>
  )
}

function Expiry({ apiKey: { expires_at: at, replaced } }: { apiKey: Key }): ReactNode {
  const now = useNow()
  if (at !== null && new Date(at) <= now) return <Badge tone="bad" text={words.expired} />
  if (!replaced) return <Time at={at} />
  return (
    <Row gap={2}>
      <Badge tone="warn" text={words.replaced} /> <Time at={at} />
    </Row>
  )
}

function RevokeKey({ workspaceId, apiKey: { id, name }, why }: { workspaceId: string; apiKey: Key; why: string | undefined }): ReactNode {
  const revoke = useChange(insights, revokeApiKey, { refresh: [getWorkspace], done: words.revoked })
  return (
    <DangerButton
      size="small"
      why={why}
      title={words.revokeTitle}
      names={words.revokeNames(name)}
      action={words.revoke}
      run={async () => (await revoke.run({ params: { workspace_id: workspaceId, key_id: id } })) !== undefined}
      error={revoke.error?.message}
    />
  )
}
