import type { AuthorizationCodeScheme } from './scheme.ts'

/** Parameters of OAuth, of OpenID Connect and of vendors that ask a user for no permission. */
const WITHOUT_SCOPES = new Set([
  ...['access_type', 'acr_values', 'approval_prompt', 'audience', 'claims_locales', 'display', 'duration', 'hd', 'include_granted_scopes'],
  ...['login_hint', 'max_age', 'nonce', 'owner', 'prompt', 'resource', 'response_mode', 'token_access_type', 'ui_locales'],
])

/**
 * Returns all scopes that a sign-in asks for, with `scopes` in place of the scheme's own. A parameter contains scopes if its name contains
 * "scope", such as `user_scope` of Slack, or if `scope_descriptions` describes one of its words.
 */
export function requestedScopes(scheme: AuthorizationCodeScheme, scopes = scheme.scopes): string[] {
  const others = furtherParameters(scheme).filter(({ name }) => name !== 'scope' || scopes === undefined)
  return [...new Set([...(scopes ?? []), ...others.filter((each) => areScopes(scheme, each)).flatMap(({ words }) => words)])]
}

/** Returns the parameters that may ask for a permission which `requestedScopes` does not return. */
export function hiddenParameters(scheme: AuthorizationCodeScheme): string[] {
  return furtherParameters(scheme)
    .filter(({ name }) => !WITHOUT_SCOPES.has(name))
    .filter((each) => (areScopes(scheme, each) ? each.text.includes('{account.') : !/^\{account\.\w+\}$/.test(each.text)))
    .map(({ name }) => name)
}

type Parameter = { readonly name: string; readonly text: string; readonly words: readonly string[] }

function furtherParameters({
  authorization_url,
  authorization_parameters = {},
  scope_separator = ' ',
}: AuthorizationCodeScheme): Parameter[] {
  const [, query] = authorization_url.split('?')
  const texts = { ...Object.fromEntries(new URLSearchParams(query)), ...authorization_parameters }
  return Object.entries(texts).map(([name, text]) => {
    const words = text.split(scope_separator).flatMap((part) => part.split(/[\s,]+/))
    return { name, text, words: words.filter((word) => word !== '') }
  })
}

function areScopes({ scope_descriptions: described = {} }: AuthorizationCodeScheme, { name, words }: Parameter): boolean {
  if (WITHOUT_SCOPES.has(name)) return false
  return /scope/i.test(name) || words.some((word) => Object.hasOwn(described, word))
}
