import type { ImportReport } from '@onward/openapi'
import { printable, showList, showOne } from './output.ts'
import type { GlobalOptions, Terminal } from './terminal.ts'

type Quarantined = { readonly function: string; readonly problems: readonly string[] }

type Done = ImportReport & { readonly dry_run: boolean }

/** Prints what an import did. `quarantined` are functions that the service then left out. */
export function showImport(terminal: Terminal, options: GlobalOptions, report: Done, quarantined: readonly Quarantined[]): void {
  if (options.json) {
    showOne(terminal, options, { ...report, ...(quarantined.length > 0 ? { quarantined } : {}) })
    return
  }
  const line = (text: string) => terminal.stdout.write(`${printable(text)}\n`)
  const { title, app, openapi, imported, added, changed, unchanged, removed, skipped, functions, notes, seconds } = report
  const told = new Set([...added, ...changed])
  const rows = functions.filter(({ name }) => told.has(name)).map((each) => ({ ...each, function: each.name }))
  if (rows.length > 0) showList(terminal, options, { rows }, 'rows', ['function', 'type', 'method', 'path'])
  for (const name of changed) line(`changed  ${name}`)
  for (const name of removed) line(`removed  ${name}`)
  for (const { operation, reasons } of skipped) line(`skipped  ${operation}: ${reasons.join('; ')}`)
  for (const { function: name, problems } of quarantined) line(`left out  ${name}: ${problems.join('; ')}`)
  for (const note of notes) line(`note  ${note}`)
  const counts = `${added.length} new, ${changed.length} changed, ${unchanged} unchanged, ${removed.length} removed, ${skipped.length} skipped`
  line(`${title} (${app}, OpenAPI ${openapi}): ${imported} functions in ${seconds} s: ${counts}`)
}
