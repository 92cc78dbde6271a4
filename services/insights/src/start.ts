import {
  beginRetention,
  type Listening,
  type Loop,
  listen,
  openLoop,
  openSealingCheck,
  type Running,
  requireMigrations,
  type SealingCheck,
  VERSION,
} from '@onward/runtime'
import { openInternalApp, openPublicApp } from './app.ts'
import { endBlocking } from './blocking/end-blocking.ts'
import { publishDue } from './blocking/publish-blocking.ts'
import type { Config } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import { EVENT_PARTITIONS } from './db/task-events.ts'
import { compareAfterRestart } from './maintenance/compare-tasks.ts'
import { openHeartbeat } from './maintenance/heartbeat.ts'
import { retain } from './maintenance/retain.ts'
import { openContext } from './open-context.ts'
import { publishEnded } from './people/publish-ended.ts'
import { applyLimitChanges } from './usage/apply-limit-changes.ts'
import { openDispatcher } from './webhooks/dispatcher.ts'
import { runReplays } from './webhooks/replay.ts'
import { SEALED_COLUMNS } from './webhooks/signing-secrets.ts'
import { failInactive, sweep } from './webhooks/sweep.ts'
import { startWorkers } from './worker.ts'

/** Interval of the loops that publish changes of blocked users and that end blocks. */
const BLOCKING_EVERY_MS = 500
/** Interval of the loop that publishes ended sessions and rights. */
const ENDED_RIGHTS_EVERY_MS = 300
/** Interval at which a process looks for replays to continue. */
const REPLAYS_EVERY_MS = 1_000
/** How often a process looks whether Postgres was restarted or replaced. */
const RESTART_EVERY_MS = 5_000
/** Time that requests in flight have to finish after a stop begins. */
const DRAIN_MS = 4_000

/**
 * Waits for the migrations, opens both ports and starts the workers. `close` accepts no new requests or jobs, and waits for running ones.
 */
export async function startInsights(config: Config): Promise<Running & { readonly url: string; readonly internalUrl: string }> {
  const ctx = await openContext(config)
  const listening: Listening[] = []
  let heartbeat: Loop | undefined
  let sealing: SealingCheck | undefined
  try {
    await requireMigrations('insights', config, migrations, ctx.log)
    heartbeat = await openHeartbeat(ctx.db, config.outgoingReach, ctx.log)
    sealing = openSealingCheck(ctx.slowDb, ctx.sealer, SEALED_COLUMNS, ctx.log)
    const internal = await listen(openInternalApp(ctx, sealing.check), config.internalHost, config.internalPort)
    listening.push(internal)
    const open = await listen(openPublicApp(ctx), config.host, config.port, config.tls)
    const dispatcher = openDispatcher(ctx)
    const retention = await beginRetention(ctx.db, EVENT_PARTITIONS, (signal) => retain(ctx, signal), ctx.log)
    const closing = new AbortController()
    const workers = startWorkers(ctx, dispatcher, closing.signal)
    const loops = [
      heartbeat,
      sealing,
      retention,
      openLoop(config.webhooks.sweepEveryMs, (signal) => sweep(ctx, dispatcher, signal), ctx.log),
      openLoop(config.webhooks.sweepEveryMs, (signal) => failInactive(ctx, signal), ctx.log),
      openLoop(config.limitChangesEveryMs, (signal) => applyLimitChanges(ctx, signal), ctx.log),
      openLoop(REPLAYS_EVERY_MS, (signal) => runReplays(ctx, signal), ctx.log),
      openLoop(BLOCKING_EVERY_MS, (signal) => publishDue(ctx, signal), ctx.log),
      openLoop(BLOCKING_EVERY_MS, (signal) => endBlocking(ctx, signal), ctx.log),
      openLoop(ENDED_RIGHTS_EVERY_MS, (signal) => publishEnded(ctx, signal), ctx.log),
      openLoop(RESTART_EVERY_MS, () => compareAfterRestart(ctx), ctx.log),
    ]
    ctx.log.info({ version: VERSION, url: open.url, internalUrl: internal.url }, 'listening')
    return {
      log: ctx.log,
      url: open.url,
      internalUrl: internal.url,
      async close() {
        closing.abort()
        // In parallel, because a running sweep can wait until the dispatcher closes.
        await Promise.all([
          open.close(DRAIN_MS),
          internal.close(DRAIN_MS),
          ...loops.map((loop) => loop.close()),
          dispatcher.close(() => workers.deliveries.close()),
        ])
        await ctx.close()
      },
    }
  } catch (err) {
    await Promise.all(listening.map((each) => each.close(0)))
    await heartbeat?.close()
    await sealing?.close()
    await ctx.close()
    throw err
  }
}
