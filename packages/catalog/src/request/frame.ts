import { compileFieldChecks, settingsFor } from '../auth/account-fields.ts'
import { type BaseUrl, compileBaseUrl } from '../auth/base-url.ts'
import { checkSchemes, type PlacedScheme, settingKinds } from '../auth/check-schemes.ts'
import type { Signer } from '../auth/scheme-kind.ts'
import { inOrder, kindOf, type Reserved, requiredNames, reservedBy, signedFields } from '../auth/schemes.ts'
import type { AppFile, BodyType, RequestFile } from '../file/app-file.ts'
import type { Path, Report } from '../problems.ts'
import { compileHeaders, type HeaderTemplates } from '../template/header-template.ts'
import { own } from '../template/template.ts'
import type { CredentialField, Credentials, Scheme } from '../types.ts'

/** The compiled parts that all functions of an app share. */
export type Frame = {
  readonly name: string
  readonly schemes: readonly Scheme[]
  readonly settings: readonly CredentialField[]
  readonly settingNames: ReadonlySet<string>
  readonly base: BaseUrl
  readonly headers: HeaderTemplates
  readonly bodyType: BodyType
  readonly hosts: ReadonlySet<string>
  readonly reserved: Reserved
  /** Returns the signer of an account, or problems with its stored fields, `"account.<field>: …"`: they may be older than the app file. */
  signerOf(account: Credentials): Signer | { readonly problems: string[] }
}

export function compileFrame(file: AppFile, report: Report): Frame {
  const declared = Object.entries(file.account_settings ?? {})
  const settingNames = new Set(declared.map(([name]) => name))
  const placed = readSchemes(file.auth)
  const schemes = placed.map(({ scheme }) => scheme)
  checkSchemes(placed, settingNames, report)
  const base = compileBaseUrl(file.base_url, settingNames, report)
  const kinds = settingKinds(base.kinds, schemes, settingNames, report)
  const { auth: _auth, ...rest } = file
  const settings = declared.map(([name, setting]) => {
    const only = schemesThatUse(name, schemes, rest)
    const shared = { name, ...setting, secret: false, required: true, kind: kinds.get(name) ?? 'text' } as const
    return only === undefined ? shared : { ...shared, only }
  })
  const reserved = reservedBy(schemes)
  const names = { parameters: {}, required: [], settings: settingNames }
  return {
    name: file.name,
    schemes,
    settings,
    settingNames,
    base,
    headers: compileHeaders(file.headers ?? {}, reserved.headers, names, ['headers'], report),
    bodyType: file.body_type ?? 'json',
    hosts: new Set(file.hosts),
    reserved,
    signerOf: compileSigners(schemes, settings),
  }
}

/**
 * Returns the types of the schemes that use a setting, or undefined when accounts of every scheme need it. `rest` is the file without
 * `auth`.
 */
function schemesThatUse(setting: string, schemes: readonly Scheme[], rest: object): readonly Scheme['type'][] | undefined {
  const tag = `{account.${setting}}`
  const using = schemes.filter((scheme) => JSON.stringify(scheme).includes(tag))
  const neededByAll = using.length === 0 || using.length === schemes.length || JSON.stringify(rest).includes(tag)
  return neededByAll ? undefined : using.map(({ type }) => type)
}

function readSchemes(auth: AppFile['auth']): PlacedScheme[] {
  if (!isList(auth)) return [{ scheme: auth, at: ['auth'] }]
  return auth.map((scheme, index) => ({ scheme, at: ['auth', index] }))
}

function isList(auth: AppFile['auth']): auth is readonly Scheme[] {
  return Array.isArray(auth)
}

/** An account signs with the scheme that `schemeOf` returns. When none matches, the problems are those of the first scheme. */
function compileSigners(schemes: readonly Scheme[], settings: readonly CredentialField[]): Frame['signerOf'] {
  const compiled = inOrder(schemes).map((scheme) => ({
    scheme,
    needed: requiredNames(scheme),
    signer: kindOf(scheme).compileSigner(scheme),
    check: compileFieldChecks(scheme, signedFields(scheme), settingsFor(scheme, settings)),
  }))
  const first = compiled.find(({ scheme }) => scheme === schemes[0])
  return (account) => {
    const found = compiled.find(({ needed }) => needed.every((name) => own(account, name) !== undefined)) ?? first
    if (!found) throw new Error('an app has at least one scheme')
    const problems = found.check(account)
    return problems.length > 0 ? { problems: problems.map((problem) => `account.${problem}`) } : found.signer
  }
}

/** Returns the frame of a function that sends its requests to another host of the app. Its `path` is the whole path there. */
export function withHost(frame: Frame, { host }: RequestFile, at: Path, report: Report): Frame {
  if (host === undefined) return frame
  if (!frame.hosts.has(host)) report([...at, 'host'], `${host} is not one of the app's hosts`)
  return { ...frame, base: { kinds: new Map(), fill: () => ({ origin: `https://${host}`, prefix: '' }) } }
}
