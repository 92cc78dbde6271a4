import { compileCheck, compileFieldChecks, settingsFor } from '../auth/account-fields.ts'
import { type BaseUrl, compileBaseUrl } from '../auth/base-url.ts'
import { checkSchemes, type PlacedScheme, settingKinds } from '../auth/check-schemes.ts'
import type { Signer } from '../auth/scheme-kind.ts'
import { compileSchemeOf, kindOf, type Reserved, reservedBy, signedFields } from '../auth/schemes.ts'
import type { AppFile, BodyType, RequestFile } from '../file/app-file.ts'
import type { Path, Report } from '../problems.ts'
import { compileHeaders, type HeaderTemplates } from '../template/header-template.ts'
import type { CredentialField, Credentials, Scheme } from '../types.ts'

/** The compiled parts that all functions of an app share. */
export type Frame = {
  readonly name: string
  readonly schemes: readonly Scheme[]
  readonly settings: readonly CredentialField[]
  readonly settingNames: ReadonlySet<string>
  /** Returns the base URL of an account. It may depend on the scheme. */
  baseOf(account: Credentials): BaseUrl
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
  const bases = compileBases(file.base_url, placed, settingNames, report)
  const kinds = settingKinds(
    [...bases.values()].map((base) => base.kinds),
    schemes,
    settingNames,
    report,
  )
  const settings = declared.map(([name, setting]) => {
    const only = schemesThatUse(name, schemes, file)
    const required = setting.default === undefined
    const shared = { name, ...setting, secret: false, required, kind: kinds.get(name) ?? 'text' } as const
    const [problem] = required ? [] : compileCheck(shared, () => null, false)({ [name]: setting.default })
    if (problem !== undefined) report(['account_settings', name, 'default'], problem)
    return only === undefined ? shared : { ...shared, only }
  })
  const reserved = reservedBy(schemes)
  const names = { parameters: {}, required: [], settings: settingNames }
  return {
    name: file.name,
    schemes,
    settings,
    settingNames,
    baseOf: chooseBase(bases),
    headers: compileHeaders(file.headers ?? {}, reserved.headers, names, ['headers'], report),
    bodyType: file.body_type ?? 'json',
    hosts: new Set(file.hosts),
    reserved,
    signerOf: compileSigners(schemes, settings),
  }
}

/** Compiles the base URL of each scheme: its own, or the app's. */
function compileBases(text: string, placed: readonly PlacedScheme[], settings: ReadonlySet<string>, report: Report): Map<Scheme, BaseUrl> {
  const common = compileBaseUrl(text, settings, ['base_url'], report)
  return new Map(
    placed.map(({ scheme, at }) => [
      scheme,
      scheme.base_url === undefined ? common : compileBaseUrl(scheme.base_url, settings, [...at, 'base_url'], report),
    ]),
  )
}

/** An account that matches no scheme counts as one of the first. */
function chooseBase(bases: ReadonlyMap<Scheme, BaseUrl>): Frame['baseOf'] {
  const [first] = bases.values()
  if (!first) throw new Error('an app has at least one scheme')
  if (new Set(bases.values()).size === 1) return () => first
  const schemeOf = compileSchemeOf([...bases.keys()])
  return (account) => bases.get(schemeOf(account) as Scheme) ?? first
}

/** Returns the types of the schemes that use a setting, or undefined when accounts of every scheme need it. */
function schemesThatUse(setting: string, schemes: readonly Scheme[], file: AppFile): readonly Scheme['type'][] | undefined {
  const { auth: _auth, base_url, ...rest } = file
  const uses = (part: object) => [`{account.${setting}}`, `{account.${setting}*}`].some((tag) => JSON.stringify(part).includes(tag))
  const using = schemes.filter((scheme) => uses({ base_url, ...scheme }))
  const neededByAll = using.length === 0 || using.length === schemes.length || uses(rest)
  return neededByAll ? undefined : using.map(({ type }) => type)
}

function readSchemes(auth: AppFile['auth']): PlacedScheme[] {
  if (!isList(auth)) return [{ scheme: auth, at: ['auth'] }]
  return auth.map((scheme, index) => ({ scheme, at: ['auth', index] }))
}

function isList(auth: AppFile['auth']): auth is readonly Scheme[] {
  return Array.isArray(auth)
}

/**
 * An account signs with the scheme that `schemeOf` returns. When none matches, reports the problems with the first scheme. `token` is
 * another token to sign with.
 */
function compileSigners(schemes: readonly Scheme[], settings: readonly CredentialField[], token?: string): Frame['signerOf'] {
  const needed = settings.map((setting) => ({ ...setting, required: true }))
  const compiled = new Map(
    schemes.map((scheme) => [
      scheme,
      {
        signer: kindOf(scheme).compileSigner(scheme, token),
        check: compileFieldChecks(scheme, signedFields(scheme, token), settingsFor(scheme, needed)),
      },
    ]),
  )
  const schemeOf = compileSchemeOf(schemes)
  return (account) => {
    const found = compiled.get(schemeOf(account) ?? (schemes[0] as Scheme))
    if (!found) throw new Error('an app has at least one scheme')
    const problems = found.check(account)
    return problems.length > 0 ? { problems: problems.map((problem) => `account.${problem}`) } : found.signer
  }
}

/** Returns the frame of a function that signs with another token than the others. */
export function withToken(frame: Frame, { token }: RequestFile, at: Path, report: Report): Frame {
  if (token === undefined) return frame
  const known = frame.schemes.some((scheme) => scheme.type === 'oauth2' && Object.keys(scheme.other_tokens ?? {}).includes(token))
  if (!known) report([...at, 'token'], `${token} is not one of other_tokens`)
  return { ...frame, signerOf: compileSigners(frame.schemes, frame.settings, token) }
}

/** Returns the frame of a function that sends its requests to another host of the app. Its `path` is the whole path there. */
export function withHost(frame: Frame, { host }: RequestFile, at: Path, report: Report): Frame {
  if (host === undefined) return frame
  if (!frame.hosts.has(host)) report([...at, 'host'], `${host} is not one of the app's hosts`)
  const base: BaseUrl = { kinds: new Map(), fill: () => ({ origin: `https://${host}`, prefix: '' }) }
  return { ...frame, baseOf: () => base }
}
