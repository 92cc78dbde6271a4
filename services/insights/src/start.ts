import { beginRetention, type Listening, listen, migrate, openLoop, type Running } from '@onward/runtime'
import { openInternalApp, openPublicApp } from './app.ts'
import type { Config } from './config.ts'
import { openContext } from './context.ts'
import { migrations } from './db/migrations/index.ts'
import { openCourier } from './events/courier.ts'
import { sweep } from './events/sweep.ts'
import { TIMING, type Timing } from './events/timing.ts'
import { endBlocks } from './limits/end-blocks.ts'
import { publishDue } from './limits/publish-due.ts'
import { EVENTS } from './retention/events.ts'
import { retain } from './retention/retain.ts'
import { reevaluate } from './usage/reevaluate.ts'
import { startWorkers } from './worker.ts'

/** How often limit states are looked for that are due to be told, and windows that have ended. */
const LIMIT_STATES_EVERY_MS = 500
/** How long requests in hand may take once the service is told to stop. */
const DRAIN_MS = 4_000

/**
 * Migrates, opens both ports and starts the workers. `close` drains: no new requests and jobs, those in hand end.
 * `timing` is for tests, which can't wait a day.
 */
export async function startInsights(
  config: Config,
  timing: Timing = TIMING,
): Promise<Running & { readonly url: string; readonly internalUrl: string }> {
  const ctx = await openContext(config, timing)
  const listening: Listening[] = []
  try {
    await migrate(config.databaseDirectUrl, migrations)
    const internal = await listen(openInternalApp(ctx), config.internalHost, config.internalPort)
    listening.push(internal)
    const open = await listen(openPublicApp(ctx), config.host, config.port, config.tls)
    const courier = openCourier(ctx)
    const retention = await beginRetention(ctx.db, EVENTS, (signal) => retain(ctx, signal), ctx.log)
    const workers = startWorkers(ctx, courier)
    const loops = [
      retention,
      openLoop(timing.sweepEveryMs, (signal) => sweep(ctx, courier, signal), ctx.log),
      openLoop(timing.recheckEveryMs, (signal) => reevaluate(ctx, signal), ctx.log),
      openLoop(LIMIT_STATES_EVERY_MS, (signal) => publishDue(ctx, signal), ctx.log),
      openLoop(LIMIT_STATES_EVERY_MS, (signal) => endBlocks(ctx, signal), ctx.log),
    ]
    ctx.log.info({ url: open.url, internalUrl: internal.url }, 'listening')
    return {
      log: ctx.log,
      url: open.url,
      internalUrl: internal.url,
      async close() {
        // Together: the sweep may wait for the courier to have less to do.
        await Promise.all([
          open.close(DRAIN_MS),
          internal.close(DRAIN_MS),
          ...loops.map((loop) => loop.close()),
          courier.close(() => workers.deliveries.close()),
        ])
        await ctx.close()
      },
    }
  } catch (err) {
    await Promise.all(listening.map((each) => each.close(0)))
    await ctx.close()
    throw err
  }
}
