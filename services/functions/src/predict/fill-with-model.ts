import type { ArgumentInput, PredictedArguments } from '@onward/predict'
import type { Caller } from '../auth.ts'
import type { Callable } from '../catalog/functions.ts'
import type { Context } from '../context.ts'
import { fillArguments } from './fill.ts'

/** As `fillArguments`, with what a model finds where one is set. `gone` is aborted when nobody waits any more. */
export async function fillWithModel(
  ctx: Context,
  caller: Caller,
  callable: Callable,
  input: ArgumentInput,
  gone: AbortSignal,
): Promise<PredictedArguments> {
  return await fillArguments(ctx, caller, callable, input, await ctx.prediction.model?.fill(input, callable, gone))
}
