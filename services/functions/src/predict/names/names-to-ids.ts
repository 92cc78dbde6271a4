import type { AppFunction, Source } from '@onward/catalog'
import type { ArgumentInput, PredictedArgument, PredictedArguments, Variables } from '@onward/predict'
import { inTime, Refusal, type UserKey } from '@onward/runtime'
import type { Blocking } from '../../blocking/follow-blocking.ts'
import { dependenciesOf, sourceBody } from '../../catalog/data-source.ts'
import type { Callable } from '../../catalog/functions.ts'
import type { LiveCatalog } from '../../catalog/live-catalog.ts'
import { type Arguments, validate } from '../../catalog/validate.ts'
import { fillVariables } from '../../catalog/variables.ts'
import { defaultAccount, findAccounts, type SealedAccount } from '../../db/connected-accounts.ts'
import type { InternalCallParts } from '../../onward/internal-call.ts'
import { verdictOn } from '../../policy/enforce.ts'
import { listOptions } from './list-options.ts'
import type { Listed, Option, OptionCache } from './options.ts'
import { foldedWords, isSameWord } from './prompt-words.ts'
import { nameQueryOf, resolveName } from './resolve-name.ts'

/** The parts that looking up names needs. */
export type NameParts = InternalCallParts &
  Parameters<typeof verdictOn>[0] & {
    readonly catalog: Pick<LiveCatalog, 'current'>
    readonly blocking: Pick<Blocking, 'blockedMs'>
    readonly prediction: { readonly options: OptionCache }
  }

/** The time for calling the user's app, for all names together. */
const DEADLINE_MS = 3_000
/** Additional time to log the calls and to use the responses that arrived. */
const GRACE_MS = 1_000
const MAX_SOURCES = 6

/**
 * Sets parameters to the ids that names in a prompt have in the user's connected app (`C024BE91L` for "#general"). Removes a predicted name
 * that the app does not know. When the app's answer is missing or incomplete, names that were not found stay. Never throws.
 */
export async function namesToIds(
  parts: NameParts,
  caller: UserKey,
  callable: Callable,
  input: ArgumentInput,
  offline: PredictedArguments,
): Promise<PredictedArguments> {
  const { fn } = callable
  const { prompt } = input
  const parameters = prompt === null ? [] : parametersToResolve(fn, prompt, offline)
  // A blocked user's app is not called.
  if (prompt === null || parameters.length === 0 || parts.blocking.blockedMs(caller) > 0) return offline
  const deadline = Date.now() + DEADLINE_MS
  const args: Record<string, PredictedArgument> = { ...offline }

  async function replaceAll(text: string): Promise<void> {
    const account = await accountFor(parts, caller, fn)
    if (account === undefined) return
    for (const level of levelsOf(fn, parameters)) {
      const found = await Promise.all(level.map(async (parameter) => [parameter, await optionsFor(parameter, account)] as const))
      for (const [parameter, listed] of found) {
        if (listed === undefined) continue
        const offered = { options: listed.options.filter(isSendable), complete: listed.complete }
        const resolved = resolveName(callable, parameter, text, offered, args[parameter])
        if (resolved === undefined) delete args[parameter]
        else args[parameter] = resolved
      }
    }
  }

  // If the request has variables, braces in a value would be read as a tag.
  function isSendable({ value }: Option): boolean {
    return input.variables === null || !/[{}]/.test(String(value))
  }

  async function optionsFor(parameter: string, account: SealedAccount | null): Promise<Listed> {
    const source = fn.sources[parameter] as Source
    const called = parts.catalog.current.functions.get(source.function)
    const given = called && sourceArguments(fn, parameter, source, called, args, input.variables)
    if (called === undefined || given === undefined) return undefined
    // Only a list that the application's rules allow is read.
    const verdict = await verdictOn(parts, caller, { fn: called.fn, args: given, via: null, rules: [] })
    if (verdict.result !== 'allow') return undefined
    const about = [caller.appKey, caller.userId, account?.id, account?.version, called.fn.version, source, given]
    return await parts.prediction.options.get(about, () =>
      listOptions(parts, caller, source, { fn: called.fn, args: given, account, deadline }),
    )
  }

  try {
    await inTime(DEADLINE_MS + GRACE_MS, replaceAll(prompt))
  } catch (err) {
    parts.log.info({ err, function: fn.name }, 'names in a prompt could not be looked up')
  }
  return { ...args }
}

/** Returns the account that a call would use: null when the app needs none, undefined when there is no usable one. */
async function accountFor({ db }: Pick<NameParts, 'db'>, caller: UserKey, { app }: AppFunction): Promise<SealedAccount | null | undefined> {
  if (!app.needsAccount) return null
  const account = defaultAccount((await findAccounts(db, { ...caller, app: app.name })).accounts)
  return account?.status === 'reconnect_required' ? undefined : account
}

/** Returns the parameters with a source function for which the prompt may contain a name. Values of variables are not looked up. */
function parametersToResolve(fn: AppFunction, prompt: string, offline: PredictedArguments): string[] {
  const spoken = new Set(foldedWords(prompt).map(({ text }) => text))
  return Object.keys(fn.sources)
    .filter((parameter) => {
      const { origin, value } = offline[parameter] ?? {}
      if (origin?.from === 'model') return !/[{}]/.test(JSON.stringify(value))
      if (origin !== undefined) return origin.from === 'prompt' && origin.variables === undefined
      const { required, nouns } = nameQueryOf(fn, parameter, undefined)
      return required || nouns.some((noun) => [...spoken].some((word) => isSameWord(noun, word)))
    })
    .slice(0, MAX_SOURCES)
}

/** Groups parameters by level: the sources of a level depend only on parameters of earlier levels. */
function levelsOf(fn: AppFunction, parameters: readonly string[]): string[][] {
  const levels: string[][] = []
  let left = [...parameters]
  while (left.length > 0) {
    const mustWait = (parameter: string) =>
      dependenciesOf(fn, parameter, fn.sources[parameter] as Source).some((name) => left.includes(name))
    const ready = left.filter((parameter) => !mustWait(parameter))
    // Parameters that depend on each other cannot be looked up.
    if (ready.length === 0) break
    levels.push(ready)
    left = left.filter((parameter) => !ready.includes(parameter))
  }
  return levels
}

/** Returns valid arguments for the source function of a parameter, or undefined when it depends on a parameter without a value. */
function sourceArguments(
  fn: AppFunction,
  parameter: string,
  source: Source,
  callable: Callable,
  known: PredictedArguments,
  variables: Variables | null,
): Arguments | undefined {
  try {
    const values = dependenciesOf(fn, parameter, source).map((name) => [name, known[name]?.value] as const)
    if (values.some(([, value]) => value === undefined)) return undefined
    const own = variables === null ? Object.fromEntries(values) : fillVariables(Object.fromEntries(values), variables)
    return validate(callable, fillVariables(sourceBody(fn, parameter, source), own), false)
  } catch (err) {
    if (err instanceof Refusal) return undefined
    throw err
  }
}
