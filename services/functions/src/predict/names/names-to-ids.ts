import type { AppFunction, Source } from '@onward/catalog'
import type { ArgumentInput, PredictedArgument, PredictedArguments } from '@onward/predict'
import { inTime } from '@onward/runtime'
import type { Caller } from '../../auth.ts'
import { dependsOn } from '../../catalog/data-source.ts'
import type { Callable } from '../../catalog/functions.ts'
import type { Context } from '../../context.ts'
import { findAccounts, type SealedAccount } from '../../db/connected-accounts.ts'
import { listOptions } from './list-options.ts'
import type { Option } from './option.ts'
import type { Listed } from './options.ts'
import { resolveName } from './resolve-name.ts'
import { sourceArguments } from './source-arguments.ts'
import { wantedOf } from './wanted-of.ts'
import { isSame, wordsIn } from './words-in.ts'

/** How long the user's app is asked, for all names together. */
const DEADLINE_MS = 3_000
/** What came until then is logged, and used. */
const LAST_MS = 1_000
const MAX_SOURCES = 6

/**
 * Puts ids in the place of the names that a prompt says, as the user's connected app knows them ("#general" is `C024BE91L`). What the app
 * does not know by that name is left out. When the app can't be asked, or does not answer to the end, what was not found stays as it is: never
 * a reason to fail.
 */
export async function namesToIds(
  ctx: Context,
  caller: Caller,
  callable: Callable,
  input: ArgumentInput,
  offline: PredictedArguments,
): Promise<PredictedArguments> {
  const { fn } = callable
  const { prompt } = input
  const parameters = prompt === null ? [] : wantedParameters(fn, prompt, offline)
  // Who may not call has nothing called either.
  if (prompt === null || parameters.length === 0 || ctx.blocking.blockedMs(caller) > 0) return offline
  const deadline = Date.now() + DEADLINE_MS
  const args: Record<string, PredictedArgument> = { ...offline }

  async function replaceAll(text: string): Promise<void> {
    const account = await accountFor(ctx, caller, fn)
    if (account === undefined) return
    for (const level of levelsOf(fn, parameters)) {
      const found = await Promise.all(level.map(async (parameter) => [parameter, await optionsFor(parameter, account)] as const))
      for (const [parameter, listed] of found) {
        if (listed === undefined) continue
        const offered = { options: listed.options.filter(isSendable), whole: listed.whole }
        const resolved = resolveName(callable, parameter, text, offered, args[parameter])
        if (resolved === undefined) delete args[parameter]
        else args[parameter] = resolved
      }
    }
  }

  // Beside variables, braces would be read as a tag.
  function isSendable({ value }: Option): boolean {
    return input.variables === null || !/[{}]/.test(String(value))
  }

  async function optionsFor(parameter: string, account: SealedAccount | null): Promise<Listed> {
    const source = fn.sources[parameter] as Source
    const asked = ctx.catalog.current.functions.get(source.function)
    const given = asked && sourceArguments(fn, parameter, source, asked, args, input.variables)
    if (asked === undefined || given === undefined) return undefined
    const about = [caller.appKey, caller.userId, account?.id, account?.version, asked.fn.version, source, given]
    return await ctx.prediction.options.get(about, () => listOptions(ctx, caller, source, { fn: asked.fn, args: given, account, deadline }))
  }

  try {
    await inTime(DEADLINE_MS + LAST_MS, replaceAll(prompt))
  } catch (err) {
    ctx.log.info({ err, function: fn.name }, 'names of a prompt were not looked up')
  }
  return { ...args }
}

/** The account that a call would use; null where none is needed, undefined where there is none. */
async function accountFor(ctx: Context, caller: Caller, { app }: AppFunction): Promise<SealedAccount | null | undefined> {
  if (!app.needsAccount) return null
  const [newest] = await findAccounts(ctx.db, caller, app.name)
  return newest === undefined || newest.status === 'reconnect_required' ? undefined : newest
}

/** Those with a source that the prompt may name something for; variables are not looked up. */
function wantedParameters(fn: AppFunction, prompt: string, offline: PredictedArguments): string[] {
  const spoken = new Set(wordsIn(prompt).map(({ text }) => text))
  return Object.keys(fn.sources)
    .filter((parameter) => {
      const { origin, value } = offline[parameter] ?? {}
      if (origin?.from === 'model') return !/[{}]/.test(JSON.stringify(value))
      if (origin !== undefined) return origin.from === 'prompt' && origin.variables === undefined
      const { required, nouns } = wantedOf(fn, parameter, undefined)
      return required || nouns.some((noun) => [...spoken].some((word) => isSame(noun, word)))
    })
    .slice(0, MAX_SOURCES)
}

/** In the order in which the sources need one another. */
function levelsOf(fn: AppFunction, parameters: readonly string[]): string[][] {
  const levels: string[][] = []
  let left = [...parameters]
  while (left.length > 0) {
    const waits = (parameter: string) => dependsOn(fn, parameter, fn.sources[parameter] as Source).some((name) => left.includes(name))
    const ready = left.filter((parameter) => !waits(parameter))
    // Two that wait for each other can't be looked up at all.
    if (ready.length === 0) break
    levels.push(ready)
    left = left.filter((parameter) => !ready.includes(parameter))
  }
  return levels
}
