import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { distil } from './distil.ts'
import { readLesson } from './lesson.ts'
import { openTeacher } from './teacher.ts'
import { vectorsFile } from './vectors-file.ts'

/**
 * `pnpm train-vectors --packages DIR --openapi DIR`: learns word vectors from a sentence encoder and writes them as `vectors.bin` and `words.txt` of `--out` (the
 * weights' own folder without it). `--packages` is where the encoder and the word list were installed; `--openapi` holds OpenAPI documents. A ranker knows only the
 * vectors that it was trained with: `pnpm train-ranker` comes next.
 */
const own = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const DIMS = 128
const weights = own('../../weights')
const { values } = parseArgs({
  options: { packages: { type: 'string' }, openapi: { type: 'string' }, out: { type: 'string', default: weights } },
})
const { packages, openapi, out } = values
if (packages === undefined || openapi === undefined) throw new Error('--packages and --openapi each need a folder')
const say = (line: string) => process.stdout.write(`${line}\n`)

const { english, teacher } = await openTeacher(packages)
const lesson = await readLesson({ openapi, apps: own('../../../catalog/apps'), madeUp: own('../sets'), weights }, english)
say(`${lesson.words.length} words, ${lesson.texts.length} texts`)
const taught = { words: await teacher(lesson.words, tell('words')), texts: await teacher(lesson.texts, tell('texts')) }
const vectors = distil(lesson, taught, DIMS, say)
await mkdir(out, { recursive: true })
await writeFile(join(out, 'vectors.bin'), vectorsFile(vectors))
await writeFile(join(out, 'words.txt'), `${lesson.words.join('\n')}\n`)
say(`${join(out, 'vectors.bin')}: now train the ranker with it`)

function tell(kind: string): (done: number) => void {
  return (done) => {
    if (done % 3200 === 0) say(`asked the teacher for ${done} ${kind}`)
  }
}
