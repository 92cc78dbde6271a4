import type { listApplicationMcpTokens, ResponseOf } from '@onward/contract'
import { Bot, KeyRound } from 'lucide-react'
import { Named } from '../../ui/page.tsx'
import type { ExportedColumn } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { WORDS } from './words.ts'

/** What a program may do for a user: a grant of the user if it has a `client`, otherwise a token. */
export type AgentRow = ResponseOf<typeof listApplicationMcpTokens>['tokens'][number] & { readonly app_key: string }

const { list: words } = WORDS

/** The columns of the list, without the column of the application. */
export const AGENT_COLUMNS: readonly ExportedColumn<AgentRow>[] = [
  {
    id: 'name',
    head: words.program,
    width: 'grow',
    phone: 'title',
    cell: ({ name, client }) => <Named logo={client === null ? <KeyRound size={16} /> : <Bot size={16} />}>{name}</Named>,
    text: ({ name }) => name,
  },
  {
    id: 'redirect_host',
    head: words.host,
    width: 160,
    phone: 'hide',
    cell: ({ client }) => client !== null && <span title={client.redirect_host}>{client.redirect_host}</span>,
    text: ({ client }) => client?.redirect_host ?? '',
  },
  { id: 'user_id', head: words.user, width: 'grow', phone: 'line', text: ({ user_id }) => user_id },
  { id: 'apps', head: words.allowed, width: 190, phone: 'hide', text: allowedBy },
  {
    id: 'read_only',
    head: words.mode,
    width: 140,
    phone: 'hide',
    cell: ({ read_only }) => (read_only ? WORDS.reads : WORDS.writes),
    text: ({ read_only }) => String(read_only),
  },
  timeColumn({ id: 'last_used_at', head: words.used, width: 130, phone: 'named', at: ({ last_used_at }) => last_used_at }),
  timeColumn({ id: 'expires_at', head: words.until, width: 120, phone: 'hide', as: 'short', at: ({ expires_at }) => expires_at }),
]

function allowedBy({ apps, functions }: AgentRow): string {
  return [apps?.join(', ') ?? WORDS.allApps, ...(functions === null ? [] : [WORDS.functions(functions.length)])].join(', ')
}
