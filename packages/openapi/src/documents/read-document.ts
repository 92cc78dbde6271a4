import { CatalogError, syntaxProblem } from '@onward/catalog'
import { type JSONPath, type ParseError, parse, visit } from 'jsonc-parser'
import { type Document, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit as visitYaml, type YAMLParseError } from 'yaml'
import { type WrittenNumber, writtenNumber } from './written-number.ts'

/** `notes` are oddities that do not stop the import, each with its line. `lines` has the line of each operation, by operation key. */
type ReadDocument = { readonly value: unknown; readonly notes: readonly string[]; readonly lines: ReadonlyMap<string, number> }

/** How often an anchor may be used. Nested aliases multiply: without a limit, a few lines can expand to any size. */
const MAX_ALIASES = 20_000
const MAX_REPEATED_KEYS = 20

/** Parses a JSON or YAML text. Throws a CatalogError with name, line and column when it cannot be parsed. */
export function readDocument(text: string, name: string): ReadDocument {
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text
  if (bare.trim() === '') throw new CatalogError([`${name}: is empty`])
  if (bare.includes('\0')) throw new CatalogError([`${name}: is not a text file`])
  try {
    return /^\s*[[{]/.test(bare) && !/\.ya?ml$/i.test(name) ? readJson(bare, name) : readYaml(bare, name)
  } catch (err) {
    if (err instanceof RangeError) throw new CatalogError([`${name}: is nested too deeply`])
    throw err
  }
}

function readJson(text: string, name: string): ReadDocument {
  try {
    const value: unknown = JSON.parse(text)
    const { repeated, lines, numbers } = scanKeys(text)
    for (const { path, written } of numbers) setAt(value, path, written)
    return { value, notes: repeated.map(({ key, offset }) => `${name}:${placeOf(text, offset)}: ${repeats(key)}`), lines }
  } catch (err) {
    if (!(err instanceof SyntaxError)) throw err
    const what = err.message.replace(/,? (?:\.\.\.)?".*$/s, '').replace(/ (?:in JSON )?at position .*$/s, '')
    throw new CatalogError([`${name}:${placeOf(text, errorOffset(text, err.message))}: ${what}`])
  }
}

function readYaml(text: string, name: string): ReadDocument {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const withPlace = (error: YAMLParseError, what = syntaxProblem(text, error)) => {
    const { line, col } = lines.linePos(error.pos[0])
    return `${name}:${line}:${col}: ${what}`
  }
  const fatal = document.errors.filter((error) => error.code !== 'DUPLICATE_KEY')
  if (fatal[0]) {
    // Almost any text is broken YAML. The place of the error is useful only when the text is meant to be a document.
    const meant = /\.(?:ya?ml|json)$/i.test(name) || /openapi|swagger/.test(text)
    throw new CatalogError([meant ? withPlace(fatal[0]) : `${name}: is not an OpenAPI document (needs openapi or swagger)`])
  }
  keepNumbers(document)
  const notes = document.errors.map((error) => withPlace(error, repeats(keyAt(text, error.pos[0]))))
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }), notes, lines: linesOf(document, lines) }
  } catch (err) {
    if (err instanceof ReferenceError) throw new CatalogError([`${name}: ${err.message}`])
    throw err
  }
}

/** Replaces the numbers of a YAML document that JavaScript would write in another way, where they are values of requests. */
function keepNumbers(document: Document): void {
  visitYaml(document, {
    Scalar(key, node, path) {
      if (typeof node.value !== 'number' || node.source === undefined) return
      const around = path.at(-1)
      const pair = isSeq(around) ? path.at(-2) : around
      const name = isPair(pair) && isScalar(pair.key) ? pair.key.value : undefined
      if (key !== 'key') node.value = writtenNumber(node.source, node.value, [name]) ?? node.value
    },
  })
}

/** Replaces a value inside a JSON value. */
function setAt(value: unknown, path: JSONPath, replacement: unknown): void {
  const around = path.slice(0, -1).reduce<unknown>((found, step) => Object(found)[step], value)
  const last = path.at(-1)
  if (last !== undefined && typeof Object(around)[last] === 'number') Object(around)[last] = replacement
}

/** Returns the lines of the operations in a YAML document. */
function linesOf(document: Document, counter: LineCounter): Map<string, number> {
  const lines = new Map<string, number>()
  const keysOf = (node: unknown) => (isMap(node) ? node.items : [])
  for (const path of keysOf(document.get('paths', true))) {
    for (const { key } of keysOf(path.value)) {
      if (isScalar(path.key) && isScalar(key) && key.range) lines.set(keyOf(path.key.value, key.value), counter.linePos(key.range[0]).line)
    }
  }
  return lines
}

/** Returns the key of an operation, such as `GET /pets`. */
function keyOf(path: unknown, method: unknown): string {
  return `${String(method).toUpperCase()} ${String(path)}`
}

type ScannedKeys = {
  readonly repeated: readonly { readonly key: string; readonly offset: number }[]
  readonly lines: Map<string, number>
  readonly numbers: readonly { readonly path: JSONPath; readonly written: WrittenNumber }[]
}

/**
 * Finds the lines of the operations in a JSON text, the numbers to keep as they are written, and keys that appear twice in one object: JSON.parse
 * silently drops the first.
 */
function scanKeys(text: string): ScannedKeys {
  const repeated: { key: string; offset: number }[] = []
  const lines = new Map<string, number>()
  const numbers: { path: JSONPath; written: WrittenNumber }[] = []
  const open: Set<string>[] = []
  /** The last key of each object that is open. */
  const path: string[] = []
  try {
    visit(text, {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onLiteralValue(value, offset, length, _line, _character, pathOf) {
        if (typeof value !== 'number' || String(value) === text.slice(offset, offset + length)) return
        const path = pathOf()
        const written = writtenNumber(text.slice(offset, offset + length), value, path)
        if (written !== undefined) numbers.push({ path, written })
      },
      onObjectProperty(key, offset, _length, line) {
        const keys = open.at(-1)
        if (keys?.has(key) && repeated.length < MAX_REPEATED_KEYS) repeated.push({ key, offset })
        keys?.add(key)
        path[open.length - 1] = key
        if (open.length === 3 && path[0] === 'paths') lines.set(keyOf(path[1], key), line + 1)
      },
    })
  } catch (err) {
    // The scan is recursive and JSON.parse is not: a document that is nested very deeply is imported without these notes.
    if (!(err instanceof RangeError)) throw err
  }
  return { repeated, lines, numbers }
}

/** Where a JSON text breaks. The message of JSON.parse contains the position only in some cases. */
function errorOffset(text: string, message: string): number {
  const [, position] = / at position (\d+)/.exec(message) ?? []
  if (position !== undefined) return Number(position)
  if (/end of JSON input/.test(message)) return text.length
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true })
  return errors[0]?.offset ?? text.length
}

function repeats(key: string): string {
  return `the key ${JSON.stringify(key.slice(0, 80))} appears twice; the last one counts`
}

function keyAt(text: string, offset: number): string {
  return /^["']?[^"':\n]*/.exec(text.slice(offset, offset + 100))?.[0].replace(/^["']/, '') ?? ''
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return `${line}:${offset - before.lastIndexOf('\n')}`
}
