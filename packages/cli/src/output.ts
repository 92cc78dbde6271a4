import type { GlobalOptions, Terminal } from './terminal.ts'

type Row = Readonly<Record<string, unknown>>

/** Prints one object: a line per field, or JSON. */
export function showOne(terminal: Terminal, { json }: GlobalOptions, value: Row): void {
  const lines = () => aligned(Object.entries(value).map(([name, field]) => [name, cell(field)]))
  terminal.stdout.write(json ? jsonText(value) : lines())
}

/** Prints a list: the chosen columns of its rows under their names, or the whole answer as JSON. */
export function showList<const Name extends string>(
  terminal: Terminal,
  { json }: GlobalOptions,
  answer: { readonly [N in Name]: readonly Row[] },
  name: Name,
  columns: readonly string[],
): void {
  const rows = answer[name].map((row) => columns.map((column) => cell(row[column])))
  if (json) terminal.stdout.write(jsonText(answer))
  else if (rows.length === 0) hint(terminal, 'none found')
  else terminal.stdout.write(aligned([columns.map((column) => column.toUpperCase()), ...rows]))
}

/** Says something beside the result, where a script does not read it. Never a secret. */
export function hint(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${text}\n`)
}

/** Text of others as it may be written to a terminal: on one line and without control sequences. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, '\u{fffd}')
}

function cell(value: unknown): string {
  if (value === null || value === undefined || String(value) === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return printable(String(value))
}

function aligned(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0))
  const line = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
