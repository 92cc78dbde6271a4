import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { choicesOf, isExact } from './choices-of.ts'
import { fitWeights } from './fit-weights.ts'
import { builtInCases, type LabelledSet, labelledSet } from './labelled-sets.ts'

/**
 * `pnpm train-arguments --sets DIR …`: learns the feature weights from the sets, and from the labelled prompts and variables
 * over the built-in apps.
 * Splits all sets in halves and prints how many prompts of each half are predicted exactly with weights from the other half. Then writes
 * `weights/arguments.json`, learnt from all prompts.
 */
const own = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const { values, positionals } = parseArgs({
  options: { sets: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
})
const cases = (name: string, file: string) =>
  builtInCases(name, own('../../../../catalog/apps'), own(`../../../../predict/test/cases/${file}`))
const sets = [
  ...(await Promise.all([...values.sets, ...positionals].map(labelledSet))),
  await cases('built-in', 'prompts.jsonl'),
  await cases('built-in, variables', 'variables.jsonl'),
]

const halves = [0, 1].map((half) => sets.map(({ name, prompts }) => ({ name, prompts: prompts.filter((_, at) => at % 2 === half) })))
const [even = [], odd = []] = halves
const figures = [figuresOf(odd, learn(even)), figuresOf(even, learn(odd))]
for (const [at, { name, prompts }] of sets.entries()) {
  const right = figures.reduce((sum, each) => sum + (each[at] ?? 0), 0)
  process.stdout.write(`${name}: ${right} of ${prompts.length} exact (${(right / prompts.length).toFixed(3)}), each half by the other\n`)
}
await writeFile(own('../../../../predict/weights/arguments.json'), `${JSON.stringify(learn(sets), null, 1)}\n`)

/** A prompt of a small set counts more, up to twice. */
function learn(from: readonly LabelledSet[]): Record<string, number> {
  const most = Math.max(...from.map(({ prompts }) => prompts.length))
  return fitWeights(
    from.flatMap(({ prompts }) => {
      const weight = Math.min(2, Math.sqrt(most / prompts.length))
      return prompts.flatMap(choicesOf).map((choice) => ({ choice, weight }))
    }),
  )
}

function figuresOf(of: readonly LabelledSet[], weights: Record<string, number>): number[] {
  return of.map(({ prompts }) => prompts.filter((each) => isExact(each, weights)).length)
}
