import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { API_KEY_SCOPES, type ApiKeyScope, DOT_SEGMENTS } from '@onward/contract'
import { parseJson } from '@onward/json'
import { InvalidArgumentError } from 'commander'
import mime from 'mime/lite'
import { readText, utf8Text } from './profiles.ts'
import { printable, type Terminal, UsageError } from './terminal.ts'

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Returns a parser of times: ISO 8601 (UTC without a zone), or an age such as `15m`, `2h` or `3d`. The result is ISO 8601. */
export function timeParser(now: () => Date): (text: string) => string {
  return (text) => {
    const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
    if (unit !== undefined) return new Date(now().getTime() - Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]).toISOString()
    const [, day, clock, zone] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? []
    const time = new Date(`${day}T${clock ?? '00:00'}${zone ?? 'Z'}`)
    // Date accepts 30 February and turns it into 2 March.
    if (Number.isNaN(time.getTime()) || !new Date(`${day}T00:00Z`).toISOString().startsWith(String(day))) {
      throw new InvalidArgumentError('Use a time such as 2026-01-31T12:00Z, or an age such as 15m, 2h or 3d.')
    }
    return time.toISOString()
  }
}

/** Returns a parser of whole numbers of at least `least`. */
export function wholeNumberParser(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d{1,15}$/.test(text) || value < least) throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`)
    return value
  }
}

/** Parses a number of hours. Fractions are allowed. */
export function parseHours(text: string): number {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError('It must be a number of hours, 0 or more.')
  return Number(text)
}

/** Parses the scopes of an API key, separated by commas. */
export function parseScopes(text: string): ApiKeyScope[] {
  return text.split(',').map((name) => {
    const scope = API_KEY_SCOPES.find((each) => each === name.trim())
    if (scope === undefined) throw new InvalidArgumentError(`The scopes are ${API_KEY_SCOPES.join(', ')}.`)
    return scope
  })
}

/** Parses a User-ID. */
export function parseUserId(text: string): string {
  if (DOT_SEGMENTS.includes(text)) throw new InvalidArgumentError('A User-ID must not be "." or "..".')
  return text
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

/** Returns the object that fields such as `name=text` and `name:=JSON` describe. Throws a UsageError for any other text. */
export function readFields(fields: readonly string[]): Record<string, unknown> {
  const entries = fields.map((field): [string, unknown] => {
    const [, name, sign, text = ''] = /^([^=]+?)(:?=)(.*)$/s.exec(field) ?? []
    if (name === undefined) throw new UsageError(`${printable(field)} is not name=text or name:=JSON`)
    return [name, sign === ':=' ? readJson(`the value of ${name}`, text, `; for text, write ${name}=…`) : text]
  })
  const repeated = entries.find(([name], index) => entries.findIndex(([other]) => other === name) < index)
  if (repeated !== undefined) throw new UsageError(`${printable(repeated[0])} is given twice`)
  return Object.fromEntries(entries)
}

/** Like `readFields`, with the file in the place of each text that begins with `@`, such as `photo=@photo.png`. */
export async function readArguments({ cwd }: Terminal, fields: readonly string[]): Promise<Record<string, unknown>> {
  const files = fields.flatMap((field) => {
    const [, name, file] = /^([^=]*[^=:])=@(.*)$/s.exec(field) ?? []
    return name === undefined || file === undefined ? [] : [{ name, file }]
  })
  const loaded = files.map(async ({ name, file }): Promise<[string, File]> => {
    const bytes = await readFile(resolve(cwd, file)).catch((err: NodeJS.ErrnoException) => {
      throw new UsageError(printable(`${file} cannot be read (${err.code}); for a text that begins with @, write ${name}:='"@…"'`))
    })
    return [name, new File([bytes], basename(file), { type: mime.getType(file) ?? '' })]
  })
  return { ...readFields(fields), ...Object.fromEntries(await Promise.all(loaded)) }
}

/** Returns the value of a JSON text. Throws a UsageError that names the text as `what`. */
function readJson(what: string, text: string, advice = ''): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new UsageError(printable(`${what} is not valid JSON${advice}`))
  }
}

/** Reads a JSON value from a file, or from standard input if the file is `-`. */
export async function readInput({ stdin, cwd }: Terminal, file: string): Promise<unknown> {
  if (file !== '-') return readJson(file, (await readText(resolve(cwd, file))) ?? missing(file))
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
  return readJson('standard input', utf8Text('standard input', Buffer.concat(chunks)))
}

function missing(file: string): never {
  throw new UsageError(`${file} does not exist`)
}

/** Like `readInput`, but throws a UsageError if the value is not an object. */
export async function readObject(terminal: Terminal, file: string): Promise<Record<string, unknown>> {
  const value = await readInput(terminal, file)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UsageError(`${file} must contain a JSON object`)
  return value as Record<string, unknown>
}
