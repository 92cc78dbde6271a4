import { linearRegExp } from '@onward/catalog'
import {
  type ArgumentInput,
  buildRanker,
  inSlices,
  nextTurn,
  predictArguments,
  readKnowledge,
  type Variables,
  warmUp,
} from '@onward/predict'
import { onFirstUse, openCompiler } from '@onward/runtime'
import { median } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import { measureWork } from './loop-delay.ts'
import { makeFunctions } from './predict.ts'

const GOAL_MS = 50
const WEIGHTS = 'packages/predict/weights'
/** The largest `top_k`, and the number of characters that a prompt may have. */
const TOP_K = 20
const MAX_PROMPT = 10_000
type Case = { readonly prompt: string; readonly variables?: Variables | null }

/** The prompts and variables that take most CPU, of about 180 that were tried. */
const CASES: Readonly<Record<string, Case>> = {
  'ordinary sentences': { prompt: long('Ada on June 3 at 5pm sent $20 to bob@x.co about "x" in acme/web, id a1b2, +1 202 555 0143; ') },
  digits: { prompt: long((n) => `${100 + n} `) },
  'digits with spaces': { prompt: long('1 ') },
  'negative numbers': { prompt: long('-1 ') },
  'ranges of dates': { prompt: long('June 3 to June 5, ') },
  'ranges of months': { prompt: long('jan-feb 1-2 ') },
  'durations from now': { prompt: long('in 2 days and 3 hours ') },
  'dates with times': { prompt: long((n) => `2024-01-${10 + (n % 18)}T03:${10 + (n % 49)} `) },
  'phone numbers': { prompt: long('2025550143/ ') },
  'capital words': { prompt: long((n) => `${wordOf(n).toUpperCase()} `) },
  'names of parameters': { prompt: long('the text is title name subject ') },
  'values of enums': { prompt: long('high, urgent, open and ') },
  countries: { prompt: long('France, Germany and ') },
  'one long quote': { prompt: `say "${long('word tomorrow 12, ', MAX_PROMPT - 10)}"` },
  ligatures: { prompt: long('ﷺ') },
  hyphens: { prompt: long('-') },
  'names of apps': { prompt: long((n) => `in ${['GitHub', 'Slack', 'Notion', 'Stripe', 'HubSpot', 'Microsoft Teams'][n % 6]} `) },
  '10,000 tags': {
    prompt: long('{a}'),
    variables: variablesOf(
      10_000,
      (n) => `a${n}`,
      () => 'x',
    ),
  },
  '20,000 variables': {
    prompt: long('the name of the contact '),
    variables: variablesOf(
      20_000,
      (n) => `contact_name_${n}`,
      (n) => n,
    ),
  },
  'nested variables': {
    prompt: long("the contact's first name "),
    variables: variablesOf(200, wordOf, (n) => ({ contact: { first_name: 'a', email: `a${n}@example.com`, id: n } })),
  },
  'long variables': {
    prompt: long('to {email} '),
    variables: { email: `${'a'.repeat(95_000)}@x`, url: `http://${'a.'.repeat(45_000)}`, id: 1 },
  },
  'long names of variables': { prompt: 'send it', variables: { [`email_${'a_b_'.repeat(40_000)}`]: 'x' } },
}

/** Each case is one request with `top_k: 20` and arguments. HTTP and the database are left out. */
export const predictStalls: Command = {
  summary: 'the longest time for which the worst permitted prompts and variables block the event loop; all times are CPU times',
  options: { functions: 10_000, runs: 3 },
  async run({ say }, given) {
    await inSlices(warmUp())
    const { functions } = await makeFunctions(given.folders, given.number('functions'))
    const knowledge = await readKnowledge(WEIGHTS)
    const ranker = await buildRanker(functions, knowledge)
    const fillables = functions.map(({ title, description, app, parameters }) => {
      const check = onFirstUse(() => compileCheck({ additionalProperties: false, ...parameters } as never, 'strict'))
      return { check, ...parameters, about: `${title} ${description}`, title, app }
    })
    async function ask({ prompt, variables = null }: Case): Promise<void> {
      const input: ArgumentInput = { prompt, variables, now: new Date(), timeZone: 'Europe/Rome' }
      await nextTurn()
      const { ranked } = ranker.rank(prompt, { connected: () => false, count: TOP_K })
      for (const { number } of ranked) {
        const fillable = fillables[number]
        if (fillable !== undefined) await inSlices(predictArguments(fillable, input, knowledge.argumentWeights))
      }
    }

    let longest = 0
    for (const [name, each] of Object.entries(CASES)) {
      const runs: { ms: number; loopDelayMs: number }[] = []
      while (runs.length < given.number('runs')) runs.push(await measureWork(() => ask(each)))
      const stall = median(runs.map(({ loopDelayMs }) => loopDelayMs))
      const worst = Math.max(...runs.map(({ loopDelayMs }) => loopDelayMs))
      say(
        `${name}: ${median(runs.map(({ ms }) => ms)).toFixed(0)} ms; longest stall ${stall.toFixed(1)} ms, at most ${worst.toFixed(1)} ms`,
      )
      longest = Math.max(longest, stall)
    }
    say(`longest stall: ${longest.toFixed(1)} ms (goal: ${GOAL_MS} ms)`)
    if (longest > GOAL_MS) throw new Error(`a prompt may block the event loop for at most ${GOAL_MS} ms, not ${longest.toFixed(1)} ms`)
  },
}

const compileCheck = openCompiler(linearRegExp)

/** Returns a prompt of the largest size that consists of repetitions. */
function long(text: string | ((n: number) => string), length = MAX_PROMPT): string {
  let prompt = ''
  for (let n = 0; prompt.length < length; n++) prompt += typeof text === 'string' ? text : text(n)
  return prompt.slice(0, length)
}

/** Returns a different word for each number. */
function wordOf(n: number): string {
  return [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}

function variablesOf(count: number, name: (n: number) => string, value: (n: number) => unknown): Variables {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), value(n)]))
}
