import type { ApprovalState, listApplicationApprovals as Listed, ResponseOf } from '@onward/contract'
import { functions } from '../../api/doors.ts'
import { listApplicationApprovals } from '../../api/endpoints.ts'
import { send } from '../../api/send.ts'
import { chainPages } from '../../list/chain-pages.ts'
import type { ListOf } from '../../list/list-of.ts'
import type { ApprovalRow } from './approval-columns.tsx'

const PAGE_SIZE = 100
/** The most that the API returns at once. */
const MAX_SIZE = 200

type ApprovalFilters = {
  readonly user: string | undefined
  readonly function: string | undefined
  readonly state: ApprovalState | 'all'
}

type Reader = Pick<ListOf<ApprovalRow, ApprovalFilters>, 'load'> &
  Required<Pick<ListOf<ApprovalRow, ApprovalFilters>, 'newer' | 'changing'>>

/** Reads the approvals of applications, one after the other. */
export function makeApprovalReader(appKeys: readonly string[]): Reader {
  async function read(appKey: string, { user, function: functionName, state }: ApprovalFilters, size: number, rest: object) {
    const query = { user_id: user, function_name: functionName, state: state === 'all' ? undefined : state, page_size: size, ...rest }
    const response: ResponseOf<typeof Listed> = await send(functions, listApplicationApprovals, { params: { app_key: appKey }, query })
    return { rows: response.approvals.map((approval) => ({ ...approval, app_key: appKey })), next: response._cursor }
  }

  return {
    load: (values, cursor) =>
      chainPages(appKeys, cursor, PAGE_SIZE, (appKey, inner) => read(appKey, values, PAGE_SIZE, { _cursor: inner ?? undefined })),
    // The newest approvals of each application.
    async newer(values) {
      const pages = await Promise.all(appKeys.map((appKey) => read(appKey, values, PAGE_SIZE, {})))
      return pages.flatMap((page) => page.rows)
    },
    changing: {
      is: ({ state }) => state === 'pending' || state === 'approved',
      async read(rows) {
        const wanted = new Set(rows.map(({ id }) => id))
        const keys = [...new Set(rows.map(({ app_key }) => app_key))]
        const all: ApprovalFilters = { user: undefined, function: undefined, state: 'all' }
        const pages = await Promise.all(keys.map((appKey) => read(appKey, all, MAX_SIZE, {})))
        return pages.flatMap((page) => page.rows).filter(({ id }) => wanted.has(id))
      },
    },
  }
}
