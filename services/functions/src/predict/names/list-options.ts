import { type Cursor, compilePointer, type Source } from '@onward/catalog'
import { ExactNumber } from '@onward/json'
import type { UserKey } from '@onward/runtime'
import { callInternally, type InternalCall, type InternalCallParts, type ReadPage } from '../../onward/internal-call.ts'
import type { Listed, Option } from './options.ts'
import { foldedWords } from './prompt-words.ts'

const MAX_PAGES = 5
const MAX_OPTIONS = 1_000
/** In characters. Longer texts are neither names nor ids. */
const MAX_LABEL = 200
const MAX_VALUE = 500

/**
 * Calls a source function and returns the options of its first pages, as far as they arrive in time. Never rejects: returns undefined when the app
 * cannot be called or does not answer with a list.
 */
export async function listOptions(parts: InternalCallParts, caller: UserKey, source: Source, call: InternalCall): Promise<Listed> {
  return await callInternally(parts, caller, call, (readPage) => readPages(readPage, source)).catch((err: unknown) => {
    parts.log.info({ err, function: source.function }, 'a source function could not be called')
    return undefined
  })
}

async function readPages(readPage: ReadPage, source: Source): Promise<Listed> {
  const options: Option[] = []
  let cursor: Cursor | null = null
  for (let page = 0; page < MAX_PAGES && options.length < MAX_OPTIONS; page++) {
    const read: Awaited<ReturnType<ReadPage>> = await readPage(cursor)
    if (!Array.isArray(read?.output)) return page === 0 ? undefined : { options, complete: false }
    for (const option of optionsIn(read.output, source, MAX_OPTIONS - options.length)) options.push(option)
    if (read.cursor === null) return { options, complete: !read.isCutOff }
    cursor = read.cursor
  }
  return { options, complete: true }
}

function isSingle(value: unknown): value is string | number | ExactNumber {
  return typeof value === 'string' || typeof value === 'number' || value instanceof ExactNumber
}

/** Returns the first `most` options among the items. An app without paging may return any number. */
function optionsIn(items: readonly unknown[], source: Source, most: number): Option[] {
  const [readValue, readLabel] = [compilePointer(source.value), compilePointer(source.label)]
  const options: Option[] = []
  for (const item of items) {
    if (options.length === most) break
    const [value, label] = [readValue(item), readLabel(item)]
    if (!isSingle(value) || !isSingle(label)) continue
    const text = String(label)
    if (text.length > MAX_LABEL || String(value).length > MAX_VALUE) continue
    options.push({ value, label: text, words: foldedWords(text).map((word) => word.text) })
  }
  return options
}
