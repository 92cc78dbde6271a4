import { CommanderError } from 'commander'

type Writable = { write(text: string): unknown }

/** The environment of a command: the real process, or a substitute in tests. */
export type Terminal = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: AsyncIterable<Buffer | string> & { readonly isTTY?: boolean }
  readonly stdout: Writable
  readonly stderr: Writable
  now(): Date
}

/** Options that every command takes. */
export type GlobalOptions = { readonly functionsUrl?: string; readonly insightsUrl?: string; readonly json?: true }

/** Wrong usage of the command, or cancelled by the user. */
export class UsageError extends Error {
  readonly exitCode: number = 2
}

/** A credential is missing. */
export class NotLoggedInError extends UsageError {
  override readonly exitCode = 4
}

type Row = Readonly<Record<string, unknown>>

/** Prints one object: one line for each field, or JSON. */
export function showOne(terminal: Terminal, { json }: GlobalOptions, value: Row): void {
  const lines = () => aligned(Object.entries(value).map(([name, field]) => [name, cell(field)]))
  terminal.stdout.write(json ? jsonText(value) : lines())
}

/** Prints a list: the given columns as a table, or the whole response as JSON. */
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

/** Writes a message to standard error, beside the result. It must not contain a secret. */
export function hint(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${text}\n`)
}

/** Makes text from elsewhere safe for a terminal: one line without control sequences. */
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

/** The fields of the errors of both clients that are shown. */
type Failure = Partial<{ readonly code: string; readonly details: readonly string[]; readonly exitCode: number }>

/** Writes one line for an error and one for each detail. Returns the exit code. */
export function report(terminal: Terminal, err: unknown): number {
  // Commander has already written its message or the help.
  if (err instanceof CommanderError) return err.exitCode === 0 ? 0 : 2
  hint(terminal, `error: ${printable(err instanceof Error ? err.message : String(err))}`)
  const { code, details = [], exitCode } = (err ?? {}) as Failure
  for (const detail of details) hint(terminal, `  ${printable(detail)}`)
  if (code === 'unauthenticated') hint(terminal, '  the admin token does not belong to this service')
  return exitCode ?? (code === 'unauthenticated' ? 4 : 1)
}
