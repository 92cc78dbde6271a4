import { openContext } from '../src/context.ts'
import { reevaluate } from '../src/usage/reevaluate.ts'
import { FAST, type Insights } from './insights.ts'

/** A service that takes changes to users only when it is told to. */
export const NO_PASSES = { ...FAST, recheckEveryMs: 2 ** 31 - 1 }

/** Does once what the service does every so often: takes changes to all users. Throws when a page fails. */
export async function workOffChanges({ config }: Insights): Promise<void> {
  const ctx = await openContext(config, NO_PASSES)
  try {
    await reevaluate(ctx, new AbortController().signal)
  } finally {
    await ctx.close()
  }
}
