import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readEnglish } from '@onward/predict/training'
import { fitLessons } from './lessons.ts'
import { readLessons } from './read-lessons.ts'

/** `pnpm train-encoder`: trains the encoder on the phrasings of the built-in apps and on made-up tools, and writes `encoder.bin` and `encoder-apps.txt`. */
const own = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const { values } = parseArgs({ options: { weights: { type: 'string', default: own('../../../../predict/weights') } } })
const from = performance.now()
const lessons = await readLessons(values.weights)
const bytes = fitLessons(await readEnglish(values.weights), lessons)
const file = join(values.weights, 'encoder.bin')
await writeFile(file, bytes)
const apps = new Set(lessons.functions.map(({ app }) => app.name))
await writeFile(join(values.weights, 'encoder-apps.txt'), `${[...apps].join('\n')}\n`)
process.stdout.write(`${file}: ${bytes.length} bytes in ${Math.round((performance.now() - from) / 1_000)} s\n`)
