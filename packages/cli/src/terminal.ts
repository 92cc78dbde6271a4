import type { AccountNotConnectedError, ApprovalRequiredError } from '@onward/client'
import { writeJson } from '@onward/json'
import { CommanderError } from 'commander'

type Writable = { write(text: string): unknown }

/** The environment of a command: the real process, or a substitute in tests. */
export type Terminal = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: AsyncIterable<Buffer | string> & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown }
  readonly stdout: Writable
  readonly stderr: Writable
  now(): Date
  /** Calls a function at the first Ctrl-C or SIGTERM. The next one ends the process. */
  onInterrupt(stop: () => void): void
}

/** Options that every command takes. */
export type GlobalOptions = {
  readonly functionsUrl?: string
  readonly insightsUrl?: string
  readonly profile?: string
  readonly json?: true
}

/** Wrong usage of the command, or cancelled by the user. */
export class UsageError extends Error {
  readonly exitCode: number = 2
}

/** The app refused a call. */
export class AppRefusedError extends Error {
  readonly exitCode = 5
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

/** Prints a list: the given columns as a table, or the whole response as JSON. `none` is what to say about an empty list. */
export function showList<const Name extends string>(
  terminal: Terminal,
  { json }: GlobalOptions,
  response: { readonly [N in Name]: readonly Row[] },
  name: Name,
  columns: readonly string[],
  none = 'none found',
): void {
  const rows = response[name].map((row) => columns.map((column) => cell(row[column])))
  if (json) terminal.stdout.write(jsonText(response))
  else if (rows.length === 0) hint(terminal, none)
  else terminal.stdout.write(aligned([columns.map((column) => column.toUpperCase()), ...rows]))
}

/** Prints a value as JSON. */
export function showJson(terminal: Terminal, value: unknown): void {
  terminal.stdout.write(jsonText(value))
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
  if (typeof value === 'object' && !Array.isArray(value)) return printable(writeJson(value))
  return printable(String(value))
}

function aligned(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0))
  const line = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}

function jsonText(value: unknown): string {
  return `${writeJson(value, 2)}\n`
}

/** What to do after an error, by its code. */
const ADVICE: Readonly<Partial<Record<string, string>>> = {
  unauthenticated: 'the credentials do not belong to this service; onward whoami shows where they come from',
  user_not_found: 'a user appears with the first counted task or with an own limit; onward usage lists all',
  subscription_not_found: 'onward subscriptions list shows the ids',
  delivery_not_found: 'onward deliveries list <subscription_id> shows the ids',
  mcp_token_not_found: 'onward mcp list shows the ids',
  mcp_client_not_found: 'onward application mcp-client list shows the ids',
  application_not_found: 'onward application list shows the App-Keys',
  workspace_not_found: 'onward workspace list shows the ids',
  role_required: 'onward status shows the roles of the token',
  assignment_required: 'onward application create completes an application that only functions has',
}

/** The codes of errors after which only another credential helps. */
const REFUSED_CREDENTIALS = ['unauthenticated', 'role_required']

/** What the services say of text where a parameter needs another type. */
const NOT_FILE = /: must be an object, such as \{"url": …\}/
const NOT_TEXT = /: must be (a number|a whole number|true or false|an object|an array)/

/** An error of either client, whose fields have the same names, or any other error, which has none of them. */
type Failure = Error &
  Partial<Pick<AccountNotConnectedError, 'code' | 'details' | 'suggestions' | 'loginUrl' | 'requestId' | 'body'>> &
  Partial<Pick<ApprovalRequiredError, 'approvalUrl'>> & {
    readonly exitCode?: number
  }

/** Writes one line for an error, and one for each detail. Returns the exit code. */
export function report(terminal: Terminal, err: unknown): number {
  // Commander has already written its message or the help.
  if (err instanceof CommanderError) return err.exitCode === 0 ? 0 : 2
  const failure: Failure = err instanceof Error ? err : new Error(String(err))
  const { name, exitCode, details = [], suggestions = [], loginUrl, approvalUrl, requestId } = failure
  const code = failure.code ?? ''
  const message = summaryOf(failure)
  const advice = ADVICE[code]
  const lines = [
    ...details,
    ...(suggestions.length > 0 && !message.includes('did you mean') ? [`did you mean ${suggestions.join(' or ')}?`] : []),
    ...(loginUrl ? [`connect the account here: ${loginUrl}`] : []),
    ...(approvalUrl ? [`approve the call here, and repeat it: ${approvalUrl}`] : []),
    ...(details.some((detail) => NOT_FILE.test(detail))
      ? ['-f gives text; write -f name=@path for a file, such as -f photo=@photo.png']
      : []),
    ...(details.some((detail) => NOT_TEXT.test(detail) && !NOT_FILE.test(detail))
      ? ['-f gives text; write -f name:=JSON for another type, such as -f age:=36']
      : []),
    ...(name === 'ApiConnectionError' ? ['is the service running, and is the address right? onward whoami shows the address'] : []),
    ...(advice === undefined ? [] : [advice]),
    ...(requestId ? [`request ${requestId}`] : []),
  ]
  hint(terminal, `error: ${printable(message)}`)
  for (const line of lines) hint(terminal, `  ${printable(line)}`)
  return exitCode ?? (REFUSED_CREDENTIALS.includes(code) ? 4 : 1)
}

/** Returns the message of an error, without the details and the request, which are shown on separate lines. */
function summaryOf({ body, message }: Failure): string {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string' ? body.error : message
}
