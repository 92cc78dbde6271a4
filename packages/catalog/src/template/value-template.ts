import type { Path, Report } from '../problems.ts'
import { fillText, type Input, type Names, parseTemplate, type Tag, tagsOf } from './template.ts'

/** A part of a body. A `tagged` part may be undefined; its key or array item is then left out. */
type ValueTemplate = { readonly tagged: boolean; read(input: Input): unknown }

/**
 * Compiles a JSON value of the file. A text that is exactly one tag takes the value and type of the argument. An object or array is left out
 * when all its tags are absent, so that `filter: {property: object, value: '{kind}'}` never sends half a filter.
 */
export function compileValue(value: unknown, names: Names, path: Path, report: Report): ValueTemplate {
  if (typeof value === 'string') return compileString(value, names, path, report)
  if (Array.isArray(value)) return compileArray(value, names, path, report)
  if (typeof value === 'object' && value !== null) return compileObject(value, names, path, report)
  return { tagged: false, read: () => value }
}

function compileString(text: string, names: Names, path: Path, report: Report): ValueTemplate {
  const template = parseTemplate(text, names, (what) => report(path, what))
  const tags = tagsOf(template)
  if (tags.some((tag) => tag.explode)) report(path, 'a tag with * is only allowed in query, or as a field of a form')
  if (tags.length === 0) return { tagged: false, read: () => text }
  if (template.length === 1) return { tagged: true, read: (tags[0] as Tag).read }
  return { tagged: true, read: (input) => fillText(template, input) }
}

function compileArray(items: unknown[], names: Names, path: Path, report: Report): ValueTemplate {
  const { tagged, read } = compileObject(items, names, path, report)
  return {
    tagged,
    read: (input) => {
      const filled = read(input)
      return filled && Object.values(filled)
    },
  }
}

function compileObject(fields: object, names: Names, path: Path, report: Report) {
  const { tagged, fill } = compileFields(fields, names, path, report)
  return {
    tagged,
    read(input: Input) {
      const { filled, present } = fill(input)
      return present || !tagged ? filled : undefined
    },
  }
}

/** Compiles a whole body: an object, even when all its tags are absent. */
export function compileRoot(fields: object, names: Names, path: Path, report: Report): (input: Input) => Record<string, unknown> {
  const { fill } = compileFields(fields, names, path, report)
  return (input) => fill(input).filled
}

type Filled = { filled: Record<string, unknown>; present: boolean }

/** `present` means that at least one field with a tag has a value. */
function compileFields(fields: object, names: Names, path: Path, report: Report): { tagged: boolean; fill(input: Input): Filled } {
  const compiled = Object.entries(fields).map(([key, item]) => ({ key, ...compileValue(item, names, [...path, key], report) }))
  return {
    tagged: compiled.some((item) => item.tagged),
    fill(input) {
      let present = false
      const filled: Record<string, unknown> = {}
      for (const item of compiled) {
        const value = item.read(input)
        if (value === undefined) continue
        present ||= item.tagged
        filled[item.key] = value
      }
      return { filled, present }
    },
  }
}
