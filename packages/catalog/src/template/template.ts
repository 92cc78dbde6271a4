import { isStructured, writeJson } from '@onward/json'
import type { Credentials, FileContents, ParameterSchema } from '../types.ts'

/** The values of a call: its arguments, the fields of the connected account, and the content of its files. */
export type Input = {
  readonly args: Readonly<Record<string, unknown>>
  readonly account: Credentials
  readonly files?: FileContents
}

/** The names that the templates of a function may use. */
export type Names = {
  readonly parameters: Readonly<Record<string, ParameterSchema>>
  readonly required: readonly string[]
  /** The texts that are sent in base64. */
  readonly base64?: readonly string[]
  readonly settings: ReadonlySet<string>
  /** The parameters that are files. Only a part of a multipart body or a raw body can be a file. */
  readonly files?: readonly string[]
  /** The texts between the items of lists, or the keys and values of objects, by parameter. Such a value is one text in the request. */
  readonly separators?: Readonly<Record<string, string>>
}

export type Tag = {
  /** Without braces: `contact_id`, `account.subdomain`. */
  readonly name: string
  /** Written `{name*}`: an array becomes a repeated key, and an object becomes a key for each field. */
  readonly explode: boolean
  /** Set for a list or an object with a separator, which `read` returns as one text. */
  readonly list?: { readonly separator: string; read(input: Input): unknown }
  readonly schema: Pick<ParameterSchema, 'type' | 'nullable' | 'default'>
  /** Whether it always has a value: it is required, has a default, or is an account setting. */
  readonly alwaysSet: boolean
  /** Returns undefined when the value is absent. */
  read(input: Input): unknown
}

const MISPLACED_FILE = 'is a file, which can only be a whole part of a multipart body or a whole raw body'

type Template = readonly (string | Tag)[]

const TAG = /\{([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)(\*?)\}/g

/** Splits a text at its tags. Braces around anything else are plain text, so that a body may contain a GraphQL query. */
export function parseTemplate(text: string, names: Names, complain: (what: string) => void): Template {
  const parts: (string | Tag)[] = []
  let end = 0
  for (const match of text.matchAll(TAG)) {
    if (match.index > end) parts.push(text.slice(end, match.index))
    const tag = findTag(match[1] as string, match[2] === '*', names)
    if (tag) parts.push(tag)
    else
      complain(
        `{${match[1]}} ${names.files?.includes(match[1] as string) ? MISPLACED_FILE : 'is neither a parameter nor {account.<setting>}'}`,
      )
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

export function tagsOf(template: Template): Tag[] {
  return template.filter((part) => typeof part !== 'string')
}

/** Returns the filled text; undefined when any tag is absent. */
export function fillText(template: Template, input: Input): string | undefined {
  let text = ''
  for (const part of template) {
    const value = typeof part === 'string' ? part : part.read(input)
    if (value === undefined) return undefined
    text += toText(value)
  }
  return text
}

/** Joins arrays with commas (RFC 6570, simple expansion) and writes objects as JSON. Text has no null, so null becomes an empty text. */
export function toText(value: unknown): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map(toText).join(',')
  return isStructured(value) ? writeJson(value) : String(value)
}

/** Joins the items of a list, or the keys and values of an object; undefined when it is absent. */
export function joinItems(value: unknown, separator: string, write: (item: unknown) => string): string | undefined {
  if (value === null) return ''
  if (!isStructured(value)) return undefined
  return (Array.isArray(value) ? value : Object.entries(value).flat()).map(write).join(separator)
}

function findTag(name: string, explode: boolean, names: Names): Tag | null {
  if (name.startsWith('account.')) {
    const setting = name.slice('account.'.length)
    if (!names.settings.has(setting)) return null
    return { name, explode, schema: { type: 'string' }, alwaysSet: true, read: ({ account }) => own(account, setting) }
  }
  const schema = own(names.parameters, name)
  if (!schema || names.files?.includes(name)) return null
  const fallback = schema.default
  const alwaysSet = fallback !== undefined || names.required.includes(name)
  const read = ({ args }: Input) => valueOr(own(args, name), fallback)
  if (names.base64?.includes(name)) return { name, explode, schema, alwaysSet, read: (input) => inBase64(read(input)) }
  const separator = own(names.separators ?? {}, name)
  if (separator === undefined) return { name, explode, schema, alwaysSet, read }
  const joined = (input: Input) => joinItems(read(input), separator, toText)
  const text = { type: 'string', nullable: schema.nullable === true } as const
  return { name, explode, schema: text, alwaysSet, read: joined, list: { separator, read } }
}

function inBase64(value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value).toString('base64') : value
}

/** Only an absent value takes the default; null is a value. */
function valueOr(value: unknown, fallback: unknown): unknown {
  return value === undefined ? fallback : value
}

export function own<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}
