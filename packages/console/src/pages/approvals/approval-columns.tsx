import type { ApprovalItem, ApprovalState } from '@onward/contract'
import type { ReactNode } from 'react'
import { AppLogo } from '../../parts/app-logo.tsx'
import { withApplication } from '../../parts/application-column.ts'
import { Badge } from '../../ui/badge.tsx'
import { Named } from '../../ui/page.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { WORDS } from './words.ts'

export type ApprovalRow = ApprovalItem & { readonly app_key: string }

const { list: words } = WORDS

const TONES = { pending: 'warn', approved: 'good', refused: 'bad', used: 'neutral' } as const

export function State({ state }: { state: ApprovalState }): ReactNode {
  return <Badge tone={TONES[state]} text={WORDS.states[state]} pulse={state === 'pending'} />
}

/** The columns of the list. `nameOf` is undefined when all rows belong to one application. */
export function approvalColumns(nameOf: ((appKey: string) => string) | undefined): readonly Column<ApprovalRow>[] {
  const columns: readonly Column<ApprovalRow>[] = [
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
    { id: 'user_id', head: words.user, width: 'grow', phone: 'line', cell: ({ user_id }) => user_id, text: ({ user_id }) => user_id },
    {
      id: 'via',
      head: words.from,
      width: 170,
      phone: 'hide',
      cell: ({ via, token }) => token?.name || viaOf(via),
      text: ({ via, token }) => token?.name || (via ?? 'api'),
    },
    {
      id: 'created_at',
      head: words.asked,
      width: 120,
      phone: 'line',
      cell: ({ created_at }) => <Time at={created_at} as="short" />,
      text: ({ created_at }) => created_at,
    },
    {
      id: 'expires_at',
      head: words.until,
      width: 120,
      phone: 'hide',
      cell: ({ expires_at }) => <Time at={expires_at} as="short" />,
      text: ({ expires_at }) => expires_at,
    },
  ]
  return withApplication(columns, 3, words.application, nameOf)
}

/** `mcp:` is followed by the name of the client. */
export function viaOf(via: string | null): string {
  if (via === null) return WORDS.vias.api
  if (via === 'console') return WORDS.vias.console
  const [, client = ''] = via.split(/:(.*)/s)
  return client === '' ? WORDS.vias.mcp : client
}
