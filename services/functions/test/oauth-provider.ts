import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'

/** A provider that rotates refresh tokens: it knows one grant, and its API takes the newest access token only. */
export type Provider = ScriptedServer & {
  /** Tokens of a new grant; the ones before are gone. */
  grant(): { access_token: string; refresh_token: string }
  /** What the API takes no more. */
  refuseToken(): void
  tokenRequests(): number
  /** Calls of the API that it took. */
  done(): string[]
  /** Answers token requests in place of the provider; null gives them back to it. */
  onToken: Answer | null
  onCall: Answer | null
}

type Answer = Parameters<ScriptedServer['answer']>[0]

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
  server.answer((received, response, request) => {
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
