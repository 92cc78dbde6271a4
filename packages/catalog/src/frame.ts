import { compileFieldChecks } from './account/field-checks.ts'
import { onlyFor, settingsFor } from './account/settings-for.ts'
import { checkSchemes, readSchemes } from './auth/check-schemes.ts'
import { compileSigner, type Signer } from './auth/compile-signer.ts'
import { type Places, placesOf } from './auth/places.ts'
import { signedFields } from './auth/scheme-fields.ts'
import { inOrder, requiredNames } from './auth/scheme-of.ts'
import { joinKinds } from './auth/url-kinds.ts'
import type { AppFile, BodyType } from './file/app-file.ts'
import type { Report } from './problems.ts'
import { type BaseUrl, compileBaseUrl } from './request/base-url.ts'
import { compileHeaders, type HeaderTemplates } from './request/header-templates.ts'
import { own } from './request/template.ts'
import type { CredentialField, Credentials, Scheme } from './types.ts'

/** What all functions of an app share, compiled. */
export type Frame = {
  readonly name: string
  readonly schemes: readonly Scheme[]
  readonly settings: readonly CredentialField[]
  readonly settingNames: ReadonlySet<string>
  readonly base: BaseUrl
  readonly headers: HeaderTemplates
  readonly bodyType: BodyType
  readonly hosts: ReadonlySet<string>
  /** What nobody but auth may set. */
  readonly reserved: Places
  /** How an account signs; or problems with what is stored of it, `"account.<field>: …"`: it may be older than the app file. */
  signerOf(account: Credentials): Signer | { readonly problems: string[] }
}

export function compileFrame(file: AppFile, report: Report): Frame {
  const declared = Object.entries(file.account_settings ?? {})
  const settingNames = new Set(declared.map(([name]) => name))
  const schemes = readSchemes(file).map(({ scheme }) => scheme)
  checkSchemes(file, report)
  const base = compileBaseUrl(file.base_url, settingNames, report)
  const kinds = joinKinds(base.kinds, schemes, settingNames, report)
  const { auth: _auth, ...rest } = file
  const settings = declared.map(([name, setting]) => {
    const only = onlyFor(name, schemes, rest)
    const shared = { name, ...setting, secret: false, required: true, kind: kinds.get(name) ?? 'text' } as const
    return only === undefined ? shared : { ...shared, only }
  })
  const reserved = placesOf(schemes)
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

/** The account's scheme is the one that `schemeOf` finds. Where none fits, the problems are those of the first. */
function compileSigners(schemes: readonly Scheme[], settings: readonly CredentialField[]): Frame['signerOf'] {
  const compiled = inOrder(schemes).map((scheme) => ({
    scheme,
    needed: requiredNames(scheme),
    signer: compileSigner(scheme),
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
