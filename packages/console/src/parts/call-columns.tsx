import type { ResponseOf, readCalls } from '@onward/contract'
import { PageLink } from '../shell/links.tsx'
import type { Column } from '../ui/table.tsx'

export type Call = ResponseOf<typeof readCalls>['calls'][number]

/** Returns the column with the function of a call, which leads to the call. */
export function functionColumn(head: string): Column<Call> {
  return {
    id: 'function_name',
    head,
    width: 'grow',
    phone: 'title',
    cell: ({ id, app_key, function_name }) => (
      <PageLink page="calls" search={{ app_key, call: id }}>
        {function_name}
      </PageLink>
    ),
  }
}
