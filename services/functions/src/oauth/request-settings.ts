import {
  type AuthorizationCodeScheme,
  type Credentials,
  compilePointer,
  fillAccountText,
  fillAccountUrl,
  type SettingRequest,
} from '@onward/catalog'
import { OAuthError } from './errors.ts'
import { getJson, type TokenSender } from './send.ts'

/** Returns the settings that the scheme requests with the new access token. Throws an OAuthError when one of them is not found. */
export async function requestSettings(sender: TokenSender, scheme: AuthorizationCodeScheme, account: Credentials): Promise<Credentials> {
  const found: Record<string, string> = {}
  for (const [name, source] of Object.entries(scheme.settings ?? {})) {
    if ('request' in source) found[name] = await requestSetting(sender, source.request, account)
  }
  return found
}

async function requestSetting(sender: TokenSender, request: SettingRequest, account: Credentials): Promise<string> {
  const answer = await getJson(sender, fillAccountUrl(request.url, account), account.access_token ?? '')
  const where = Object.entries(request.where ?? {}).map(
    ([pointer, text]) => [compilePointer(pointer), fillAccountText(text, account)] as const,
  )
  const item = [answer].flat().find((candidate) => where.every(([read, text]) => isSame(read(candidate), text)))
  const value = compilePointer(request.value)(item)
  if (typeof value === 'string' && value !== '') return value
  const what = where.map(([, text]) => text).join(' and ') || 'the data that is needed'
  throw new OAuthError('invalid', `The account that you signed in with has no access to ${what}.`)
}

/** Ignores case: users write parts of a host name in upper case too. */
function isSame(value: unknown, text: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === text.toLowerCase()
}
