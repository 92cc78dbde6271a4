import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { CatalogError, type Path } from '../problems.ts'

/** A parsed app file. */
export type ParsedFile = {
  readonly value: unknown
  /** Formats a problem as one line with file, line and path. */
  problem(path: Path, what: string): string
}

/** Parses a YAML text and remembers the place of each value. Throws a CatalogError when it is not valid YAML. */
export function readYaml(text: string, file: string): ParsedFile {
  if (text.includes('\0')) throw new CatalogError([`${file}: is not a text file`])
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  // One mistake causes more errors after it, so only the first is reported.
  const [error] = document.errors
  if (error) throw new CatalogError([`${file}:${lines.linePos(error.pos[0]).line}: ${syntaxProblem(text, error)}`])
  return {
    value: toPlain(document, file),
    problem(path, what) {
      const line = lines.linePos(offsetOf(document.contents, path)).line
      return `${file}:${line}: ${path.length > 0 ? `${path.join('.')}: ` : ''}${what}`
    },
  }
}

function toPlain(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS()
  } catch (err) {
    // The parser rejects aliases that expand to a very large value.
    throw new CatalogError([`${file}:1: ${err instanceof Error ? err.message : String(err)}`])
  }
}

/** Returns the offset of a value; for a missing key, the offset of its parent. */
function offsetOf(root: Node | null, path: Path): number {
  let node: unknown = root
  let offset = root?.range?.[0] ?? 0
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step))
      if (!pair) break
      offset = (pair.key as Node).range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      const item = node.items[Number(step)] as Node | undefined
      if (!item) break
      offset = item.range?.[0] ?? offset
      node = item
    } else break
  }
  return offset
}

const MAX_MESSAGE = 160

type SyntaxProblem = { readonly message: string; readonly pos: readonly [number, number] }

/** Returns the message of a YAML error on one line, with a hint for the most frequent mistake: `path: /x/{id}` inside braces. */
export function syntaxProblem(text: string, { message, pos: [at] }: SyntaxProblem): string {
  const hint = text[at] === '{' && /[^\s{[,"']/.test(text[at - 1] ?? ' ') ? ' (quote a text that contains braces)' : ''
  return (message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message) + hint
}
