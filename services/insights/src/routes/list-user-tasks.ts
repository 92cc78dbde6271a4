import { setImmediate } from 'node:timers/promises'
import * as endpoints from '@onward/contract'
import { readCursor, STREAMED, writeCursor } from '@onward/runtime'
import { pageUsages, type UsageFilter, type UsagePage } from '../db/usage-pages.ts'
import { taskStatusWithPercents } from '../usage/status.ts'
import { usageOf } from '../usage/usage-of.ts'
import { requireApplication } from './require-application.ts'
import { route } from './route.ts'
import { streamArray } from './stream-array.ts'

/** Users in the first query of a stream. It is written while the next one is read. */
const FIRST_PAGE = 1_000
/** Users in each later query of a stream. Two pages are in memory at once. */
const STREAM_PAGE = 10_000
/** Users that are made into text at once: few enough to hold up nobody. */
const PIECE = 500

type Query = endpoints.Query<typeof endpoints.listUserTasks>

export const listUserTasks = route(endpoints.listUserTasks, async (ctx, { query, caller, response }) => {
  const cursor = readCursor(query._cursor, ['string'])
  const application = await requireApplication(ctx.db, caller, query.app_key)
  const filter = filterOf(query)
  const pageAfter = (userId: string, size: number) => pageUsages(ctx.db, application, userId, size, filter)
  const statusesOf = (page: UsagePage, from = 0, to = page.count) =>
    Array.from(page.items(from, to), (usage) => taskStatusWithPercents(usageOf(usage, application), usage.now))

  async function* pieces(first: UsagePage): AsyncGenerator<string> {
    let page: UsagePage | undefined = first
    while (page?.lastUserId !== undefined) {
      // Read while this one is written. Should that fail, it is told when it is waited for; the caller may go away before.
      const next: Promise<UsagePage> | undefined =
        page.count < (page === first ? FIRST_PAGE : STREAM_PAGE) ? undefined : pageAfter(page.lastUserId, STREAM_PAGE)
      next?.catch(() => undefined)
      yield* texts(page)
      page = await next
    }
  }

  async function* texts(page: UsagePage): AsyncGenerator<string> {
    for (let at = 0; at < page.count; at += PIECE) {
      if (at > 0) await setImmediate()
      yield JSON.stringify(statusesOf(page, at, at + PIECE)).slice(1, -1)
    }
  }

  if (query.page_size === undefined && cursor === null) {
    // The first page before the first byte, so that a database that is down still gets an error answer.
    await streamArray(response, pieces(await pageAfter('', FIRST_PAGE)))
    return STREAMED
  }
  const size = query.page_size ?? endpoints.USERS_PAGE_SIZE_DEFAULT
  // One more tells whether there is a further page.
  const found = statusesOf(await pageAfter(cursor?.[0] ?? '', size + 1))
  const users = found.slice(0, size)
  const last = users.at(-1)
  return { users, _cursor: found.length > size && last !== undefined ? writeCursor([last.user_id]) : null }
})

function filterOf({ search, min_percent: minPercent, max_percent: maxPercent, limit_reached: limitReached }: Query): UsageFilter {
  return {
    ...(search === undefined ? {} : { search }),
    ...(minPercent === undefined ? {} : { minPercent }),
    ...(maxPercent === undefined ? {} : { maxPercent }),
    ...(limitReached === undefined ? {} : { limitReached }),
  }
}
