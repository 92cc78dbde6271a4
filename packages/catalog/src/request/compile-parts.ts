import type { Path, Report } from '../problems.ts'
import type { Part } from './multipart.ts'
import { fileTag, type Input, type Names, own, toText } from './template.ts'
import { compileValue } from './value-template.ts'

type Parts = (input: Input) => Part[]

/**
 * Compiles the body map of a multipart request: each key is a part. A file's tag becomes a file, an array one part for each item, an
 * object JSON. What is absent is left out.
 */
export function compileParts(body: object, names: Names, at: Path, report: Report): Parts {
  const compiled = Object.entries(body).map(([name, value]) => compilePart(name, value, names, [...at, name], report))
  return (input) => compiled.flatMap((read) => read(input))
}

function compilePart(name: string, value: unknown, names: Names, at: Path, report: Report): Parts {
  const file = fileTag(value, names)
  if (file !== null) {
    return ({ files }) => {
      const content = own(files ?? {}, file)
      return content === undefined ? [] : [{ name, file: content }]
    }
  }
  const template = compileValue(value, names, at, report)
  return (input) => {
    const filled = template.read(input)
    if (filled === undefined) return []
    return (Array.isArray(filled) ? filled : [filled]).map((item) => toPart(name, item))
  }
}

function toPart(name: string, value: unknown): Part {
  if (typeof value === 'object' && value !== null) return { name, text: JSON.stringify(value), contentType: 'application/json' }
  return { name, text: value === null ? '' : toText(value) }
}
