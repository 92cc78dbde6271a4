import type { ReactNode } from 'react'
import { CallResult, resultOf } from '../../parts/call-result.tsx'
import { AppLogo } from '../../shell/app-logo.tsx'
import { formatDuration } from '../../text/format.ts'
import { Tag } from '../../ui/badge.tsx'
import { Named } from '../../ui/page.tsx'
import type { ExportedColumn } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import type { Call } from './read-calls.ts'
import { CALLS_WORDS } from './words.ts'

const { columns } = CALLS_WORDS

/**
 * The columns of the list. On a phone, a failed call has its message in place of its user. `nameOf` returns the name of an application; with
 * one application, its column is left out.
 */
export function columnsOf(nameOf: ((appKey: string) => string) | undefined, phone: boolean): readonly ExportedColumn<Call>[] {
  return [
    timeColumn({ id: 'started_at', head: columns.time, phone: 'line', as: 'short', at: ({ started_at }) => started_at }),
    {
      id: 'function_name',
      head: columns.fn,
      width: 'grow',
      phone: 'title',
      cell: (call) => <FunctionName call={call} />,
      text: ({ function_name }) => function_name,
    },
    {
      id: 'result',
      head: columns.result,
      width: 156,
      phone: 'title',
      cell: (call) => <CallResult call={call} />,
      text: (call) => resultOf(call).text,
    },
    {
      id: 'message',
      hideEmpty: true,
      head: columns.message,
      width: 'grow',
      phone: 'line',
      cell: ({ message }) => message !== undefined && <span title={message}>{message}</span>,
      text: ({ message }) => message ?? '',
    },
    {
      id: 'user_id',
      head: columns.user,
      width: 176,
      phone: 'line',
      cell: ({ user_id, message }) => (phone && message !== undefined ? null : <span title={user_id}>{user_id}</span>),
      text: ({ user_id }) => user_id,
    },
    ...(nameOf === undefined ? [] : [applicationColumn(nameOf)]),
    {
      id: 'duration_ms',
      head: columns.duration,
      width: 96,
      align: 'end',
      phone: 'line',
      cell: ({ duration_ms }) => (duration_ms === null ? '–' : formatDuration(duration_ms)),
      text: ({ duration_ms }) => String(duration_ms ?? ''),
    },
  ]
}

function applicationColumn(nameOf: (appKey: string) => string): ExportedColumn<Call> {
  return {
    id: 'app_key',
    head: columns.application,
    width: 132,
    phone: 'hide',
    cell: ({ app_key }) => <span title={app_key}>{nameOf(app_key)}</span>,
    text: ({ app_key }) => app_key,
  }
}

/** The fields of the service, so that a file can be compared with what its API returns. */
const EXPORTED = [
  'id',
  'started_at',
  'app_key',
  'user_id',
  'app',
  'function_name',
  'function_version',
  'outcome',
  'network_code',
  'message',
  'duration_ms',
  'connected_account_id',
  'via',
] as const satisfies readonly (keyof Call)[]

/** What a file of calls has of each call. */
export const EXPORTED_COLUMNS = EXPORTED.map((id) => ({ id, head: id, text: (call: Call) => String(call[id] ?? '') }))

function FunctionName({ call: { app, function_name, via } }: { call: Call }): ReactNode {
  return (
    <Named logo={<AppLogo app={app ?? function_name} size={20} />} after={via !== undefined && <Tag>{viaOf(via)}</Tag>}>
      <span title={function_name}>{function_name}</span>
    </Named>
  )
}

/** The source of a call, without the name of an agent. */
function viaOf(via: string): string {
  const [kind = ''] = via.split(':')
  return CALLS_WORDS.panel.vias[kind] ?? kind
}
