import { compileAuth, type Signer } from './auth.ts'
import { compileFieldChecks, credentialFields } from './credentials.ts'
import type { AppFile, BodyType } from './file/app-file.ts'
import type { Report } from './problems.ts'
import { type BaseUrl, compileBaseUrl } from './request/base-url.ts'
import { compileHeaders, type HeaderTemplates } from './request/header-templates.ts'
import type { CredentialField, Credentials } from './types.ts'

/** What all functions of an app share, compiled. */
export type Frame = {
  readonly name: string
  readonly settings: readonly CredentialField[]
  readonly settingNames: ReadonlySet<string>
  readonly base: BaseUrl
  readonly signer: Signer
  readonly headers: HeaderTemplates
  readonly bodyType: BodyType
  readonly hosts: ReadonlySet<string>
  /** Problems with a stored account, `"account.<field>: …"`: it may be older than the app file. */
  accountProblems(account: Credentials): string[]
}

export function compileFrame(file: AppFile, report: Report): Frame {
  const declared = Object.entries(file.account_settings ?? {})
  const settingNames = new Set(declared.map(([name]) => name))
  const base = compileBaseUrl(file.base_url, settingNames, report)
  const settings = declared.map(([name, setting]) => ({ name, ...setting, secret: false, kind: base.kinds.get(name) ?? 'text' }) as const)
  const fields = credentialFields({ auth: file.auth, accountSettings: settings })
  for (const field of fields.filter((item) => item.secret && settingNames.has(item.name))) {
    report(['account_settings', field.name], 'is the name of a secret field of auth')
  }
  const signer = compileAuth(file.auth)
  const names = { parameters: {}, required: [], settings: settingNames }
  const check = compileFieldChecks(file.auth, fields)
  return {
    name: file.name,
    settings,
    settingNames,
    base,
    signer,
    headers: compileHeaders(file.headers ?? {}, signer.header, names, ['headers'], report),
    bodyType: file.body_type ?? 'json',
    hosts: new Set(file.hosts),
    accountProblems: (account) => check(account).map((problem) => `account.${problem}`),
  }
}
