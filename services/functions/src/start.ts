import { listen, openSealingCheck, type Running, VERSION } from '@onward/runtime'
import { openInternalApp, openPublicApp } from './app.ts'
import type { Config } from './config.ts'
import { SEALED_COLUMNS } from './db/sealed-columns.ts'
import { openContext } from './open-context.ts'
import { startWorkers } from './worker.ts'

const DRAIN_MS = 8_000

/** Starts the service: waits for its migrations, then listens on the public and the internal port. */
export async function startFunctions(config: Config): Promise<Running & { url: string; internalUrl: string }> {
  const ctx = await openContext(config)
  const started: { close(drainMs: number): Promise<void> }[] = []
  try {
    const sealing = openSealingCheck(ctx.slowDb, ctx.sealer, SEALED_COLUMNS, ctx.log)
    started.push(sealing)
    const internal = await listen(openInternalApp(ctx, sealing.check), config.internalHost, config.internalPort)
    started.push(internal)
    const publicServer = await listen(openPublicApp(ctx), config.host, config.port, config.tls)
    started.push(publicServer)
    const workers = startWorkers(ctx)
    ctx.log.info(
      { version: VERSION, url: publicServer.url, internalUrl: internal.url, functions: ctx.catalog.current.functions.all.length },
      'listening',
    )
    return {
      log: ctx.log,
      url: publicServer.url,
      internalUrl: internal.url,
      async close() {
        await Promise.all([publicServer.close(DRAIN_MS), workers.close(), sealing.close()])
        await ctx.close()
        await internal.close(0)
      },
    }
  } catch (err) {
    await Promise.all(started.map((each) => each.close(0)))
    await ctx.close()
    throw err
  }
}
