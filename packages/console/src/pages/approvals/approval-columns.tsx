import type { ApprovalItem, ApprovalState } from '@onward/contract'
import type { ReactNode } from 'react'
import { AppLogo } from '../../shell/app-logo.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Named } from '../../ui/page.tsx'
import type { ExportedColumn } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { requestSummary } from './request-facts.ts'
import { WORDS } from './words.ts'

export type ApprovalRow = ApprovalItem & { readonly app_key: string }

const { list: words } = WORDS

const TONES = { pending: 'warn', approved: 'good', refused: 'bad', used: 'neutral' } as const

export function State({ state }: { state: ApprovalState }): ReactNode {
  return <Badge tone={TONES[state]} text={WORDS.states[state]} pulse={state === 'pending'} />
}

/** The columns of the list, without the column of the application. */
export const APPROVAL_COLUMNS: readonly ExportedColumn<ApprovalRow>[] = [
  {
    id: 'function_name',
    head: words.fn,
    width: 'grow',
    phone: 'title',
    cell: ({ app, function_name }) => <Named logo={<AppLogo app={app} size={20} />}>{function_name}</Named>,
    text: ({ function_name }) => function_name,
  },
  {
    id: 'state',
    head: words.state,
    width: 120,
    phone: 'title',
    cell: ({ state }) => <State state={state} />,
    text: ({ state }) => state,
  },
  {
    id: 'request',
    head: words.what,
    width: 'grow',
    phone: 'line',
    cell: ({ request }) => {
      const summary = requestSummary(request)
      return <span title={summary}>{summary}</span>
    },
    text: ({ request }) => requestSummary(request),
  },
  { id: 'user_id', head: words.user, width: 200, phone: 'line', text: ({ user_id }) => user_id },
  {
    id: 'via',
    head: words.from,
    width: 170,
    phone: 'hide',
    cell: ({ via, token }) => fromOf(token) || viaOf(via),
    text: ({ via, token }) => fromOf(token) || (via ?? 'api'),
  },
  timeColumn({ id: 'created_at', head: words.asked, phone: 'line', as: 'short', at: ({ created_at }) => created_at }),
  timeColumn({ id: 'expires_at', head: words.until, phone: 'hide', as: 'short', at: ({ expires_at }) => expires_at }),
]

/** `mcp:` is followed by the name of the client. */
export function viaOf(via: string | null): string {
  if (via === null) return WORDS.vias.api
  if (via === 'console') return WORDS.vias.console
  const [, client = ''] = via.split(/:(.*)/s)
  return client === '' ? WORDS.vias.mcp : client
}

/** Returns what is known of who asked: the host that a program was added from, because it chose its name itself; else the name of the token. */
function fromOf(token: ApprovalItem['token']): string | undefined {
  return token?.redirect_host ?? token?.name
}
