import type { Operation, Preview } from './types.ts'

/** At most 40 characters, as the importer requires. */
const NAME = /^(?=.{1,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/

export function isAppName(name: string): boolean {
  return NAME.test(name)
}

/** Returns an app name for a title: `Help Desk API v2` becomes `help-desk-api-v2`. Empty if the title has no letters. */
export function appNameOf(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const first = words.findIndex((word) => /^[a-z]/.test(word))
  return first === -1 ? '' : words.slice(first).join('-').slice(0, 40).replace(/-+$/, '')
}

/** Returns the title of a document without parsing it, for a proposal of a name. */
export function titleIn(document: string): string {
  const [, json, yaml] =
    /"info"\s*:\s*\{[^}]*?"title"\s*:\s*"([^"]{1,100})"|^info:\s*(?:\n[ \t]+.*)*?\n[ \t]+title:[ \t]*["']?([^"'\n#]{1,100})/m.exec(
      document.slice(0, 20_000),
    ) ?? []
  return (json ?? yaml ?? '').trim()
}

/** Whether an operation can be chosen. A deprecated one is skipped unless it is chosen; others are skipped because they cannot be converted. */
export function isChoosable({ outcome, reasons }: Operation): boolean {
  return outcome !== 'skipped' || reasons.some((reason) => reason.startsWith('is deprecated'))
}

/** Returns the operations that are chosen at first: all that become functions. */
export function firstChoice({ operations }: Preview): ReadonlySet<string> {
  return new Set(operations.filter(({ outcome }) => outcome !== 'skipped').map(({ operation }) => operation))
}

/** Whether the file of a preview has exactly the chosen operations. */
export function isAsChosen(preview: Preview, chosen: ReadonlySet<string>): boolean {
  const first = firstChoice(preview)
  return first.size === chosen.size && [...first].every((operation) => chosen.has(operation))
}

export type Filter = 'all' | 'kept' | 'changed' | 'skipped' | 'destructive'

export function filtered(operations: readonly Operation[], filter: Filter, search: string): readonly Operation[] {
  const text = search.trim().toLowerCase()
  return operations.filter(
    (one) =>
      (filter === 'all' || (filter === 'destructive' ? one.destructive : one.outcome === filter)) &&
      `${one.operation}\n${one.function}\n${one.title}`.toLowerCase().includes(text),
  )
}
