import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { distil } from './distil.ts'
import { readLesson } from './lesson.ts'
import { vectorsFile } from './table.ts'
import { openTeacher } from './teacher.ts'

/**
 * `pnpm train-vectors --packages DIR --openapi DIR`: learns word vectors from a sentence encoder. Writes `vectors.bin` and `words.txt` to
 * `--out`, by default the folder of the weights. `--packages` is the folder with the installed encoder and word list; `--openapi` holds
 * OpenAPI documents. Run `pnpm train-ranker` afterwards, because a ranker only works with the vectors of its training.
 */
const own = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const DIMS = 128
const weights = own('../../../../predict/weights')
const { values } = parseArgs({
  options: { packages: { type: 'string' }, openapi: { type: 'string' }, out: { type: 'string', default: weights } },
})
const { packages, openapi, out } = values
if (packages === undefined || openapi === undefined) throw new Error('give a folder for --packages and one for --openapi')
const say = (line: string) => process.stdout.write(`${line}\n`)

const { english, teacher } = await openTeacher(packages)
const lesson = await readLesson({ openapi, apps: own('../../../../catalog/apps'), madeUp: own('../sets'), weights }, english)
say(`${lesson.words.length} words, ${lesson.texts.length} texts`)
const taught = { words: await teacher(lesson.words, progress('words')), texts: await teacher(lesson.texts, progress('texts')) }
const vectors = distil(lesson, taught, DIMS, say)
await mkdir(out, { recursive: true })
await writeFile(join(out, 'vectors.bin'), vectorsFile(vectors))
await writeFile(join(out, 'words.txt'), `${lesson.words.join('\n')}\n`)
say(`${join(out, 'vectors.bin')}: written; run train-ranker next`)

function progress(kind: string): (done: number) => void {
  return (done) => {
    if (done % 3200 === 0) say(`encoded ${done} ${kind}`)
  }
}
