import { type Loop, openLoop } from '@onward/runtime'
import type { Context } from '../context.ts'
import { retain } from './retain.ts'

const EVERY_MS = 3_600_000

/** Sees to partitions and old rows now and every hour. A first turn that fails keeps nobody from starting: there is a default partition. */
export async function beginRetention(ctx: Context): Promise<Loop> {
  await retain(ctx).catch((err: unknown) => ctx.log.warn({ err }, 'partitions could not be seen to; it is tried again'))
  return openLoop(
    EVERY_MS,
    async () => {
      const { made, dropped } = await retain(ctx)
      if (made.length + dropped.length > 0) ctx.log.info({ made, dropped }, 'partitions were made or dropped')
    },
    ctx.log,
  )
}
