import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openVocabulary, readEncoder, readEnglish, readLearntApps, readOutOfScope, readProducts } from '@onward/predict/training'
import { readLessons } from './encoder/read-lessons.ts'
import { figuresOf, printTable } from './figures.ts'
import { fitModel, writeModel } from './fit-model.ts'
import { joinPrompts, judgeSet, prepareSet } from './prepare-set.ts'
import { builtInSet, readSets } from './training-sets.ts'
import { fitTypedJudge } from './typed-judge.ts'
import { readTypedPrompts } from './typed-prompts.ts'

/**
 * `pnpm train-ranker --sets DIR …`: trains on the sets, the built-in apps and the made-up tools in `sets`. Prints the figures of each set
 * with a ranker that has not seen it. Then writes a ranker that has seen all, as `ranker.json` of `--out`, by default the folder of the
 * weights. `--leave-out NAME` only writes a ranker that has not seen that set. `--typed` only fits the judge of functions with phrasings, and
 * keeps the rest of `ranker.json`.
 */
const own = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const { values, positionals } = parseArgs({
  options: {
    sets: { type: 'string', multiple: true, default: [] },
    weights: { type: 'string', default: own('../../../predict/weights') },
    out: { type: 'string' },
    'leave-out': { type: 'string' },
    typed: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const { weights, out = weights, 'leave-out': leftOut } = values

const english = await readEnglish(weights)
const encoder = readEncoder(await readFile(join(weights, 'encoder.bin')), english.vectors)
const products = readProducts(await readFile(join(weights, 'products.txt'), 'utf8'))
const learntApps = await readLearntApps(weights)
const knowledge = { english, encoder, vocabulary: openVocabulary(english), products, learntApps }
await mkdir(out, { recursive: true })
await (values.typed ? fitTyped() : fitAll())

async function fitTyped(): Promise<void> {
  const { typed: _, ...model } = JSON.parse(await readFile(join(weights, 'ranker.json'), 'utf8'))
  await writeFile(join(out, 'ranker.json'), writeModel({ ...model, typed: await typedJudge(model.weights) }))
}

async function fitAll(): Promise<void> {
  const single = (await readOutOfScope(weights)).filter(({ half }) => half !== 'learn')
  const outOfScope = [...single, ...joinPrompts(single, 'dev'), ...joinPrompts(single, 'test')]
  const given = (await Promise.all([...values.sets, ...positionals].map(readSets))).flat()
  const madeUp = await readSets(own('sets'))
  const read = [...given, ...madeUp, await builtInSet(own('../../../catalog/apps'))]
  const sets = await Promise.all(read.filter(({ name }) => name !== leftOut).map((set) => prepareSet(set, outOfScope, knowledge)))
  if (leftOut !== undefined && sets.length === read.length) throw new Error(`there is no set named ${leftOut}`)
  if (leftOut === undefined) {
    const rows = sets.map((set) => {
      const model = fitModel(sets.filter((other) => other !== set))
      return [set.name, figuresOf(judgeSet(set, model.weights), model.untyped)] as const
    })
    printTable(rows, say)
  }
  const model = fitModel(sets)
  await writeFile(join(out, 'ranker.json'), writeModel({ ...model, typed: await typedJudge(model.weights) }))
  say(`\n${join(out, 'ranker.json')}: trained on ${sets.map(({ name }) => name).join(', ')}`)
}

async function typedJudge(learnt: readonly number[]) {
  return await fitTypedJudge({
    ...knowledge,
    weights: learnt,
    lessons: await readLessons(weights),
    chosen: await readTypedPrompts('choose'),
  })
}
