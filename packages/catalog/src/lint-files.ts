import { readFile } from 'node:fs/promises'
import { hiddenParameters, requestedScopes } from './auth/requested-scopes.ts'
import { listFiles } from './catalog.ts'
import type { AppFile } from './file/app-file.ts'
import { checkShape } from './file/check-shape.ts'
import { type ParsedFile, readYaml } from './file/read-yaml.ts'
import { CatalogError, type Report } from './problems.ts'
import type { ValueSchema } from './types.ts'

const DAY_MS = 86_400_000
const WARN_DAYS = 90

/** Problems of app files that compile, each as `slack.yaml:41: auth.1: …`. */
export type Lint = {
  /** OAuth schemes that do not say how an application gets its client. */
  readonly unhelped: readonly string[]
  /** Versions in headers that no entry of `expires` names. */
  readonly unended: readonly string[]
  /** Parameters of a sign-in that may ask for permissions which the connect page does not show. */
  readonly hidden: readonly string[]
  /** Functions that no sign-in of the app allows, and that do not say so. */
  readonly disallowed: readonly string[]
  /** Objects of any shape, for which a model has no example. */
  readonly shapeless: readonly string[]
  readonly expired: readonly string[]
  /** What expires within 90 days. */
  readonly expiring: readonly string[]
}

/** Lints every `*.yaml` of the folders. Leaves out files that cannot be used at all, which loading reports. */
export async function lintFiles(folders: readonly string[], now: Date): Promise<Lint> {
  const found: { readonly [Kind in keyof Lint]: string[] } = {
    unhelped: [],
    unended: [],
    hidden: [],
    disallowed: [],
    shapeless: [],
    expired: [],
    expiring: [],
  }
  for (const path of (await Promise.all(folders.map(listFiles))).flat()) {
    const parsed = await readUsable(path)
    if (parsed === undefined) continue
    const file = parsed.value as AppFile
    const reportTo =
      (lines: string[]): Report =>
      (place, what) =>
        lines.push(parsed.problem(place, what))
    lintClientHelp(file, reportTo(found.unhelped))
    lintVersions(file, reportTo(found.unended))
    lintSignIn(file, reportTo(found.hidden))
    lintScopes(file, reportTo(found.disallowed))
    lintShapes(file, reportTo(found.shapeless))
    lintExpiry(file, now, reportTo(found.expired), reportTo(found.expiring))
  }
  return found
}

async function readUsable(path: string): Promise<ParsedFile | undefined> {
  let usable = true
  try {
    const parsed = readYaml(await readFile(path, 'utf8'), path)
    checkShape(parsed.value, () => {
      usable = false
    })
    return usable ? parsed : undefined
  } catch (err) {
    if (err instanceof CatalogError || (err as NodeJS.ErrnoException).code !== undefined) return undefined
    throw err
  }
}

function lintClientHelp(file: AppFile, report: Report): void {
  for (const { scheme, at } of signIns(file)) {
    if (scheme.client_help === undefined) report(at, 'oauth2 needs client_help, which says how an application gets its client')
  }
}

function lintSignIn(file: AppFile, report: Report): void {
  for (const { scheme, at } of signIns(file)) {
    for (const name of hiddenParameters(scheme)) {
      const place = scheme.authorization_parameters?.[name] === undefined ? ['authorization_url'] : ['authorization_parameters', name]
      const what = 'may ask for permissions that the connect page does not show; write each of them as it is sent, and describe it in'
      report([...at, ...place], `${name} ${what} scope_descriptions`)
    }
  }
}

/** A function for which an administrator must allow more scopes says so. */
function lintScopes(file: AppFile, report: Report): void {
  const requested = signIns(file).map(({ scheme }) => new Set(requestedScopes(scheme)))
  if (requested.length === 0) return
  for (const [name, { scopes = [], description }] of Object.entries(file.functions)) {
    const enough =
      scopes.length === 0 || requested.some((granted) => scopes.some((each) => [each].flat().every((scope) => granted.has(scope))))
    if (enough || /administrator/i.test(description)) continue
    report(
      ['functions', name, 'scopes'],
      'no sign-in asks for these scopes; add one to the app, or say that an administrator must allow it',
    )
  }
}

/** An object of any shape, or the list that it is in, has an example in its description. */
function lintShapes({ functions }: AppFile, report: Report): void {
  const visit = (schema: ValueSchema, at: readonly string[], shown: boolean): void => {
    const { type, description = '', properties, items } = schema
    const example = shown || description.includes('{')
    if (type === 'object' && properties === undefined && !example) {
      report(at, 'this object may have any shape; give an example in its description, such as {"City": "Rome"}')
    }
    for (const [name, inner] of Object.entries(properties ?? {})) visit(inner, [...at, 'properties', name], example)
    if (items !== undefined) visit(items, [...at, 'items'], example)
  }
  for (const [name, { parameters }] of Object.entries(functions)) {
    for (const [key, schema] of Object.entries(parameters?.properties ?? {})) {
      visit(schema, ['functions', name, 'parameters', 'properties', key], false)
    }
  }
}

function signIns({ auth }: AppFile) {
  return [auth].flat().flatMap((scheme, index) => {
    return scheme.type === 'oauth2' ? [{ scheme, at: Array.isArray(auth) ? ['auth', index] : ['auth'] }] : []
  })
}

function lintVersions({ headers = {}, expires = [] }: AppFile, report: Report): void {
  for (const [name, value] of Object.entries(headers)) {
    const [, version] = /.*version[:=]\s*(.*)$/i.exec(`${name}: ${value}`) ?? []
    if (version === undefined || expires.some(({ what }) => what.includes(version))) continue
    report(['headers', name], `the version ${version} needs an entry in expires that names it, and says when the vendor ends it`)
  }
}

function lintExpiry({ expires = [] }: AppFile, now: Date, reportExpired: Report, reportExpiring: Report): void {
  for (const [at, { what, on, source }] of expires.entries()) {
    if (on === undefined) continue
    const days = Math.ceil((Date.parse(on) - now.getTime()) / DAY_MS)
    if (days <= 0) reportExpired(['expires', at], `${what} expired on ${on}; see ${source}`)
    else if (days <= WARN_DAYS)
      reportExpiring(['expires', at], `${what} expires on ${on}, in ${days} ${days === 1 ? 'day' : 'days'}; see ${source}`)
  }
}
