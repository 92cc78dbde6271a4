import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { CatalogError, type Path } from '../problems.ts'
import { syntaxProblem } from './syntax-problem.ts'

/** A parsed app file. */
export type Source = {
  readonly value: unknown
  /** One line for a person: file, line and path of what is wrong. */
  problem(path: Path, what: string): string
}

/** Parses a YAML text and keeps where each value stood in it. Throws a CatalogError when it is no YAML. */
export function readYaml(text: string, file: string): Source {
  if (text.includes('\0')) throw new CatalogError([`${file}: is not a text file`])
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  // One slip makes the parser stumble over all that follows.
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
  } catch (error) {
    // Aliases that unfold to very much are refused here.
    throw new CatalogError([`${file}:1: ${error instanceof Error ? error.message : String(error)}`])
  }
}

/** Of a key that is missing, where its parent stands. */
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
