import { CatalogError, syntaxProblem } from '@onward/catalog'
import { LineCounter, parseDocument, type YAMLParseError } from 'yaml'
import { doubledKeys } from './doubled-keys.ts'
import { whereJsonBreaks } from './where-json-breaks.ts'

type ReadDocument = { readonly value: unknown /** What is odd about it, each with its line. */; readonly notes: readonly string[] }

/** An anchor may be used so often; nested aliases multiply, and a few lines would unfold to any size. */
const MAX_ALIASES = 20_000

/** Parses a JSON or YAML text. Throws a CatalogError with name, line and column of what is wrong. */
export function readDocument(text: string, name: string): ReadDocument {
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text
  if (bare.trim() === '') throw new CatalogError([`${name}: is empty`])
  if (bare.includes('\0')) throw new CatalogError([`${name}: is not a text file`])
  try {
    return /^\s*[[{]/.test(bare) && !/\.ya?ml$/i.test(name) ? readJson(bare, name) : readYaml(bare, name)
  } catch (error) {
    if (error instanceof RangeError) throw new CatalogError([`${name}: is nested too deeply`])
    throw error
  }
}

function readJson(text: string, name: string): ReadDocument {
  try {
    const value: unknown = JSON.parse(text)
    return { value, notes: doubledKeys(text).map(({ key, offset }) => `${name}:${placeOf(text, offset)}: ${twice(key)}`) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const { offset, what } = whereJsonBreaks(text, error.message)
    throw new CatalogError([`${name}:${placeOf(text, offset)}: ${what}`])
  }
}

function readYaml(text: string, name: string): ReadDocument {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const told = (error: YAMLParseError, what = syntaxProblem(text, error)) => {
    const { line, col } = lines.linePos(error.pos[0])
    return `${name}:${line}:${col}: ${what}`
  }
  const fatal = document.errors.filter((error) => error.code !== 'DUPLICATE_KEY')
  if (fatal[0]) {
    // Any other text is soon broken YAML, and where it breaks tells nothing.
    const meant = /\.(?:ya?ml|json)$/i.test(name) || /openapi|swagger/.test(text)
    throw new CatalogError([meant ? told(fatal[0]) : `${name}: is no OpenAPI document (needs openapi or swagger)`])
  }
  const notes = document.errors.map((error) => told(error, twice(keyAt(text, error.pos[0]))))
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }), notes }
  } catch (error) {
    if (error instanceof ReferenceError) throw new CatalogError([`${name}: ${error.message}`])
    throw error
  }
}

function twice(key: string): string {
  return `the key ${JSON.stringify(key.slice(0, 80))} stands twice; the last one counts`
}

function keyAt(text: string, offset: number): string {
  return /^["']?[^"':\n]*/.exec(text.slice(offset, offset + 100))?.[0].replace(/^["']/, '') ?? ''
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return `${line}:${offset - before.lastIndexOf('\n')}`
}
