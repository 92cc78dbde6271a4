import { compileUrl } from '../account/compile-url.ts'
import type { Path, Report } from '../problems.ts'
import { parseTemplate } from '../request/template.ts'
import type { Scheme } from '../types.ts'

/** Reports what is wrong with the URLs, parameters and settings of an OAuth scheme. */
export function checkTokenEndpoint(scheme: Scheme, settings: ReadonlySet<string>, at: Path, report: Report): void {
  if (!('token_url' in scheme)) return
  const late = lateSettings(scheme)
  const before = (known: ReadonlySet<string>) => new Set([...settings].filter((name) => !known.has(name)))
  const checkUrl = (key: string, url: string | undefined, names: ReadonlySet<string>) => {
    if (url !== undefined) compileUrl(url, names, [...at, key], report)
  }
  checkTexts(scheme.token_parameters, before(late.withToken), [...at, 'token_parameters'], report)
  checkUrl('token_url', scheme.token_url, before(late.withToken))
  if (scheme.type === 'oauth2_jwt_bearer' && scheme.audience !== undefined) checkTexts({ audience: scheme.audience }, settings, at, report)
  if (scheme.type !== 'oauth2') return
  const early = before(new Set([...late.withToken, ...late.withCallback]))
  checkUrl('authorization_url', scheme.authorization_url, early)
  checkTexts(scheme.authorization_parameters, early, [...at, 'authorization_parameters'], report)
  checkUrl('revocation_url', scheme.revocation_url, settings)
  for (const name of Object.keys(scheme.settings ?? {}).filter((item) => !settings.has(item))) {
    report([...at, 'settings', name], 'is not in account_settings')
  }
}

/** The settings that are not known before the callback, and not before the first token answer. */
function lateSettings(scheme: Scheme): { withCallback: ReadonlySet<string>; withToken: ReadonlySet<string> } {
  const entries = Object.entries((scheme.type === 'oauth2' && scheme.settings) || {})
  const from = (key: string) => new Set(entries.filter(([, source]) => key in source).map(([name]) => name))
  return { withCallback: from('callback'), withToken: from('token') }
}

function checkTexts(texts: Readonly<Record<string, string>> = {}, settings: ReadonlySet<string>, at: Path, report: Report): void {
  for (const [key, text] of Object.entries(texts)) {
    parseTemplate(text, { parameters: {}, required: [], settings }, (what) => report([...at, key], what))
  }
}
