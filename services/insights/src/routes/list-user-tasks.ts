import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { listUserTasks, USERS_PAGE_SIZE_DEFAULT } from '@onward/contract'
import { readCursor, STREAMED, writeCursor } from '@onward/runtime'
import type { Response } from 'express'
import { pageUsages, type UsagePage } from '../db/usage-pages.ts'
import { currentUsage, taskStatusWithPercents } from '../rules/status.ts'
import { requireApplication, route } from './route.ts'

/** Users in the first query of a stream. */
const FIRST_PAGE = 1_000
/** Users in each later query of a stream. Two pages are in memory at once. */
const STREAM_PAGE = 10_000
/** Users that are serialized without a pause. Between two pieces, the event loop can serve other requests. */
const PIECE = 500

export const listUserTasksRoute = route(listUserTasks, async (ctx, { query, caller, response }) => {
  const cursor = readCursor(query._cursor, ['string'])
  const application = await requireApplication(ctx.db, caller, query.app_key)
  const { search, min_percent: minPercent, max_percent: maxPercent, limit_reached: limitReached } = query
  const filter = { search, minPercent, maxPercent, limitReached }
  const pageAfter = (userId: string, size: number) => pageUsages(ctx.db, application, userId, size, filter)
  const statusesOf = (page: UsagePage, from = 0, to = page.count) =>
    Array.from(page.items(from, to), (usage) => taskStatusWithPercents(currentUsage(usage, application), usage.now))

  async function* allPieces(first: UsagePage): AsyncGenerator<string> {
    let page: UsagePage | undefined = first
    while (page !== undefined) {
      // Reads the next page while this one is written. `await next` throws its error; if the caller disconnects before that, the error is
      // ignored.
      const next: Promise<UsagePage> | undefined = page.next === null ? undefined : pageAfter(page.next, STREAM_PAGE)
      next?.catch(() => undefined)
      yield* piecesOf(page)
      page = await next
    }
  }

  async function* piecesOf(page: UsagePage): AsyncGenerator<string> {
    for (let at = 0; at < page.count; at += PIECE) {
      if (at > 0) await setImmediate()
      yield JSON.stringify(statusesOf(page, at, at + PIECE)).slice(1, -1)
    }
  }

  if (query.page_size === undefined && cursor === null) {
    // The first page is read before the first byte is sent, so that an unreachable database still gets an error response.
    await streamArray(response, allPieces(await pageAfter('', FIRST_PAGE)))
    return STREAMED
  }
  const size = query.page_size ?? USERS_PAGE_SIZE_DEFAULT
  // Reads one user more than the page holds, to find out whether there is a next page.
  const page = await pageAfter(cursor?.[0] ?? '', size + 1)
  const users = statusesOf(page, 0, size)
  const next = page.count > size ? users.at(-1)?.user_id : page.next
  return { users, _cursor: typeof next === 'string' ? writeCursor([next]) : null }
})

/** Sends a JSON array of any length. Each piece is the text of one or more items, separated by commas. */
async function streamArray(response: Response, pieces: AsyncIterable<string>): Promise<void> {
  async function* text(): AsyncGenerator<string> {
    let separator = '['
    for await (const piece of pieces) {
      yield separator + piece
      separator = ','
    }
    yield separator === '[' ? '[]' : ']'
  }

  response.type('json')
  await pipeline(Readable.from(text(), { highWaterMark: 1 }), response).catch((err: unknown) => {
    // The caller closed the connection.
    if ((err as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw err
  })
}
