import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { appFile, inSeconds, type OAuthFunctions, openWithApps } from './oauth-support.ts'
import type { OpenLink } from './support.ts'

/** A provider that rotates refresh tokens. It knows one grant, and its API accepts only the newest access token. */
export type Provider = ScriptedServer & {
  /** Issues the tokens of a new grant and revokes the previous grant. */
  grant(): { access_token: string; refresh_token: string }
  /** Makes the API refuse the current access token. */
  refuseToken(): void
  tokenRequests(): number
  /** The API calls that were accepted. */
  done(): string[]
  /** Answers token requests instead of the provider, or null. */
  onToken: Respond | null
  /** Answers authorized API calls instead of the provider, or null. */
  onCall: Respond | null
}

type Respond = Parameters<ScriptedServer['respond']>[0]

export async function openProvider(): Promise<Provider> {
  const server = await openScriptedServer()
  const done: string[] = []
  let round = 0
  let good = ''

  function tokens() {
    round++
    good = `access-token-${round}-0123456789`
    return { access_token: good, refresh_token: `refresh-token-${round}-0123456789` }
  }

  const provider: Provider = {
    ...server,
    grant: tokens,
    refuseToken() {
      good = ''
    },
    tokenRequests: () => server.received.filter(({ url }) => url === '/token').length,
    done: () => done,
    onToken: null,
    onCall: null,
  }
  server.respond((received, response, request) => {
    if (received.url === '/token') {
      if (provider.onToken !== null) return provider.onToken(received, response, request)
      const used = new URLSearchParams(received.body).get('refresh_token')
      if (used !== `refresh-token-${round}-0123456789`)
        return sendJson(response, 400, { error: 'invalid_grant', error_description: 'used or gone' })
      return sendJson(response, 200, { ...tokens(), token_type: 'bearer', expires_in: 3_600 })
    }
    if (received.headers.authorization !== `Bearer ${good}`) {
      return sendJson(response, 401, { error: 'invalid_token', message: `no good: ${received.headers.authorization}` })
    }
    if (provider.onCall !== null) return provider.onCall(received, response, request)
    done.push(`${received.method} ${received.url}`)
    sendJson(response, 200, { name: 'Ada', seen: received.headers.authorization })
  })
  return provider
}

/** Makes the tokens of an account expired. */
export const EXPIRED = { expires_at: inSeconds(-10) }

/** Starts the service for all tests of a file, with one OAuth app, Oak, and its provider. */
export function useOak(env: Readonly<Record<string, string>> = {}, openLink?: OpenLink) {
  let provider: Provider
  let onward: OAuthFunctions

  beforeAll(async () => {
    provider = await openProvider()
    const { url } = provider
    const oak = appFile('oak', url, { type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token` })
    onward = await openWithApps([oak], env, openLink)
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
    /** Creates a user with an account whose tokens the provider has just issued. */
    oakUser: (more: Readonly<Record<string, string>> = {}) => onward.userWith('oak', { ...provider.grant(), ...more }),
  }
}
