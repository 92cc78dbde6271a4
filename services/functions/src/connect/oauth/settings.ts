import { type AuthorizationCodeScheme, type Credentials, compilePointer } from '@onward/catalog'

/** The account settings that a provider tells by itself: with the browser that comes back, or in a token answer. */
export function settingsOf(scheme: AuthorizationCodeScheme, told: { callback?: URLSearchParams; answer?: unknown }): Credentials {
  return Object.fromEntries(
    Object.entries(scheme.settings ?? {}).flatMap(([name, from]) => {
      const value = 'callback' in from ? told.callback?.get(from.callback) : compilePointer(from.token)(told.answer)
      return (typeof value === 'string' && value !== '') || typeof value === 'number' ? [[name, String(value)]] : []
    }),
  )
}
