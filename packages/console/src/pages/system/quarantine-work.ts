import { insights } from '../../api/doors.ts'
import { listQuarantine, replayQuarantine } from '../../api/endpoints.ts'
import { send } from '../../api/send.ts'
import type { Work } from './use-job.ts'

export type Counted = { readonly counted: number; readonly repeated: number; readonly refused: number }
type Filter = { readonly reason: string | undefined; readonly app_key: string | undefined }

const NOTHING: Counted = { counted: 0, repeated: 0, refused: 0 }
/** The most that one request counts. */
const PAGE = 200

const sum = (one: Counted, other: Counted): Counted => ({
  counted: one.counted + other.counted,
  repeated: one.repeated + other.repeated,
  refused: one.refused + other.refused,
})

/** Counts entries again. */
export function countSome(ids: readonly number[]): Work<Counted> {
  return async (report, signal) => {
    let done = NOTHING
    for (let from = 0; from < ids.length; from += PAGE) {
      done = sum(done, await send(insights, replayQuarantine, { body: { ids: ids.slice(from, from + PAGE) }, signal }))
      report(done)
    }
  }
}

/** Counts all entries again that match a filter, newest first. */
export function countAll(filter: Filter): Work<Counted> {
  return async (report, signal) => {
    let done = NOTHING
    let cursor: string | undefined
    report(done)
    do {
      const query: Filter & { page_size: number; _cursor: string | undefined } = { ...filter, page_size: PAGE, _cursor: cursor }
      const page: { quarantined: { id: number }[]; _cursor: string | null } = await send(insights, listQuarantine, { query, signal })
      const ids = page.quarantined.map(({ id }) => id)
      if (ids.length > 0) done = sum(done, await send(insights, replayQuarantine, { body: { ids }, signal }))
      report(done)
      cursor = page._cursor ?? undefined
    } while (cursor !== undefined)
  }
}
