import { openProvider, type Provider } from './oauth-provider.ts'
import { appFile, inSeconds, type OAuthFunctions, openWithApps } from './oauth-support.ts'

/** Tokens that have run out. */
export const EXPIRED = { expires_at: inSeconds(-10) }

/** Functions with one OAuth app, Oak, and its provider, for the tests of a file. */
export function useOak(env: Readonly<Record<string, string>> = {}) {
  let provider: Provider
  let onward: OAuthFunctions

  beforeAll(async () => {
    provider = await openProvider()
    const { url } = provider
    onward = await openWithApps([appFile('oak', url, { type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token` })], env)
    await onward.setClient('oak', 'oak-client', 'oak-secret-0123456789').expect(200)
  })
  afterAll(() => provider.close())
  beforeEach(() => {
    provider.received.length = 0
    provider.done().length = 0
    provider.onToken = null
    provider.onCall = null
  })
  return {
    get provider() {
      return provider
    },
    get onward() {
      return onward
    },
    /** A user with an account whose tokens the provider has just given. */
    oakUser: (more: Readonly<Record<string, string>> = {}) => onward.userWith('oak', { ...provider.grant(), ...more }),
  }
}
