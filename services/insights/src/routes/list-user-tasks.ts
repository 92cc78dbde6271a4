import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as endpoints from '@onward/contract'
import { STREAMED } from '@onward/runtime'
import { pageUsages } from '../db/periods.ts'
import { taskStatusWithPercents } from '../usage/status.ts'
import { usageOf } from '../usage/usage-of.ts'
import { requireApplication } from './require-application.ts'
import { route } from './route.ts'

/** Users in memory at once, however many there are. */
const PAGE = 2_000

export const listUserTasks = route(endpoints.listUserTasks, async (ctx, { query, caller, response }) => {
  const application = await requireApplication(ctx.db, caller, query.app_key)
  const pageAfter = async (userId: string) => await pageUsages(ctx.db, application.appKey, userId, PAGE)
  // Before the first byte, so that a database that is down still gets an error answer.
  let page = await pageAfter('')

  async function* pieces(): AsyncGenerator<string> {
    let separator = '['
    for (;;) {
      const items = page.map((usage) => JSON.stringify(taskStatusWithPercents(usageOf(usage, application), usage.now)))
      const last = page.at(-1)
      if (last === undefined) break
      yield separator + items.join(',')
      separator = ','
      page = page.length < PAGE ? [] : await pageAfter(last.userId)
    }
    yield separator === '[' ? '[]' : ']'
  }

  response.type('json')
  await pipeline(Readable.from(pieces(), { highWaterMark: 1 }), response).catch((err: unknown) => {
    // The caller went away: nobody is left to be told.
    if ((err as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw err
  })
  return STREAMED
})
