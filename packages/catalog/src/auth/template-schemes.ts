import type { Path, Report } from '../problems.ts'
import { own } from '../template/template.ts'
import type { CredentialField, Credentials } from '../types.ts'
import { HEADER_NAME, HEADER_TEXT, mapOf, record, SETTING_NAME, TEXT, TEXTS } from '../values/schema-parts.ts'
import type { BasicScheme, CustomScheme, FieldTexts } from './scheme.ts'
import { DEFAULTS, fitsHeader, plainField, type SchemeKind, secretField, signHeader } from './scheme-kind.ts'

type FieldTemplate = {
  readonly names: readonly string[]
  readonly literals: readonly string[]
  fill(account: Credentials, encode?: (value: string) => string): string
}

const FIELDS = { ...mapOf(record({ title: TEXT, description: TEXT }, { secret: { type: 'boolean' } }), SETTING_NAME), minProperties: 1 }

export const basic: SchemeKind<BasicScheme> = {
  ...DEFAULTS,
  keys: [{}, { fields: FIELDS, username: TEXT, password: { type: 'string' } }],
  check(scheme, _settings, at, report) {
    if (!isComplete(scheme, at, report)) return
    const texts = [one('username', scheme.username), one('password', scheme.password)].flat()
    checkFieldsUsed(scheme.fields, texts, at, report)
    const fixed = compileFieldTemplate(scheme.username ?? '').literals.join('')
    if (fixed.includes(':')) report([...at, 'username'], 'must not contain a colon')
  },
  enteredFields: ({ fields }) => (fields ? declaredFields(fields) : [USERNAME, PASSWORD]),
  // Some APIs use a user name without a password.
  mayBeEmpty: (scheme, field) => scheme.fields === undefined && field === 'password',
  fieldRule(scheme, field) {
    const { names } = compileFieldTemplate(scheme.username ?? '{username}')
    return (value) => (names.includes(field) && value.includes(':') ? 'must not contain a colon' : null)
  },
  headers: () => ['authorization'],
  compileSigner(scheme) {
    const token = compileBasicToken(scheme)
    return signHeader('authorization', (account) => `Basic ${token(account)}`)
  },
}

export const custom: SchemeKind<CustomScheme> = {
  ...DEFAULTS,
  keys: [
    { fields: FIELDS },
    { headers: mapOf({ type: 'string', pattern: HEADER_TEXT }, HEADER_NAME), query: TEXTS, path: { type: 'string', pattern: '^/' } },
  ],
  check(scheme, _settings, at, report) {
    checkFieldsUsed(
      scheme.fields,
      [many('headers', scheme.headers), many('query', scheme.query), one('path', scheme.path)].flat(),
      at,
      report,
    )
    checkPath(scheme.path ?? '/x', [...at, 'path'], report)
  },
  enteredFields: ({ fields }) => declaredFields(fields),
  fieldRule(scheme, field) {
    const names = (text: string) => compileFieldTemplate(text).names.includes(field)
    const inHeader = Object.values(scheme.headers ?? {}).some(names)
    const inPath = names(scheme.path ?? '')
    return (value) => (inHeader ? fitsHeader(value) : null) ?? (inPath && /^\.{1,2}$/.test(value) ? 'must not be "." or ".."' : null)
  },
  headers: (scheme) => Object.keys(scheme.headers ?? {}),
  queryKeys: (scheme) => Object.keys(scheme.query ?? {}),
  signsPath: (scheme) => scheme.path !== undefined,
  compileSigner(scheme) {
    const compile = (texts: Readonly<Record<string, string>> = {}) =>
      Object.entries(texts).map(([name, text]) => [name, compileFieldTemplate(text)] as const)
    const headers = compile(scheme.headers)
    const query = compile(scheme.query)
    const path = compileFieldTemplate(scheme.path ?? '')
    return {
      headers: (account) => Object.fromEntries(headers.map(([name, template]) => [name.toLowerCase(), template.fill(account)])),
      query: (account) => query.map(([key, template]) => [key, template.fill(account)]),
      path: (account) => path.fill(account, encodeSegment),
    }
  },
}

/** Compiles the value after `Basic `: user name and password in base64. */
export function compileBasicToken(scheme: BasicScheme): (account: Credentials) => string {
  const username = compileFieldTemplate(scheme.username ?? '{username}')
  const password = compileFieldTemplate(scheme.password ?? '{password}')
  return (account) => Buffer.from(`${username.fill(account)}:${password.fill(account)}`).toString('base64')
}

const USERNAME = secretField('username', 'User name', 'The name that the app takes for basic authentication.')
const PASSWORD = secretField('password', 'Password', 'The password that goes with the user name.')

function declaredFields(fields: FieldTexts): CredentialField[] {
  return Object.entries(fields).map(([name, field]) => ({
    ...(field.secret === false ? plainField : secretField)(name, field.title, field.description),
  }))
}

/** `fields`, `username` and `password` are only valid together. */
function isComplete(scheme: BasicScheme, at: Path, report: Report): boolean {
  const missing = (['fields', 'username', 'password'] as const).filter((key) => scheme[key] === undefined)
  if (missing.length === 0 || missing.length === 3) return missing.length === 0
  for (const key of missing) report(at, `needs ${key} too`)
  return false
}

type Text = { readonly text: string; readonly path: Path }

function one(key: string, text: string | undefined): Text[] {
  return text === undefined ? [] : [{ text, path: [key] }]
}

function many(key: string, map: Readonly<Record<string, string>> = {}): Text[] {
  return Object.entries(map).map(([name, text]) => ({ text, path: [key, name] }))
}

/** Each template may name only fields of the scheme, and each field must be used. */
function checkFieldsUsed(fields: FieldTexts = {}, texts: readonly Text[], at: Path, report: Report): void {
  const used = new Set<string>()
  for (const { text, path } of texts) {
    for (const name of compileFieldTemplate(text).names) {
      used.add(name)
      if (!Object.keys(fields).includes(name)) report([...at, ...path], `{${name}} is not a field of this scheme`)
    }
  }
  for (const name of Object.keys(fields).filter((item) => !used.has(item))) report([...at, 'fields', name], 'is not used by this scheme')
}

function checkPath(path: string, at: Path, report: Report): void {
  if (path.includes('//') || path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)) || path.endsWith('/')) {
    report(at, 'must not contain an empty, . or .. segment')
  }
  if (/[\s{}?#\\]/.test(compileFieldTemplate(path).literals.join('x'))) report(at, 'must not contain spaces, braces, ?, # or \\')
}

/** A colon needs no encoding in a path (RFC 3986, 3.3), and some servers accept it only unencoded. */
function encodeSegment(value: string): string {
  return encodeURIComponent(value).replaceAll('%3A', ':')
}

/** Compiles a text of basic or custom authentication. Its `{field}` tags are replaced by the fields of the account. */
function compileFieldTemplate(text: string): FieldTemplate {
  // A split with a group returns texts and names in alternation.
  const parts = text.split(/\{([A-Za-z_][A-Za-z0-9_.-]*\*?)\}/)
  return {
    names: parts.filter((_part, index) => index % 2 === 1),
    literals: parts.filter((_part, index) => index % 2 === 0),
    fill: (account, encode = (value) => value) =>
      parts.map((part, index) => (index % 2 === 0 ? part : encode(own(account, part) ?? ''))).join(''),
  }
}
