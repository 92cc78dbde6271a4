/** What the provider did for one user. */
export type Grant = {
  readonly user: string
  /** Number of issued access tokens, and when the newest one was issued, in ms since the epoch. */
  issued: number
  issuedAt: number
  /** How many of them were requested while more than half of the lifetime of the one before was left. */
  early: number
  /** Token requests with a refresh token that had been used before. `issuedAt` is when the newest one had been issued. */
  readonly refused: { readonly at: number; readonly issuedAt: number }[]
}

export type TokenProvider = {
  /** Returns the response to a token request with a form as its body. */
  respond(body: string): { readonly status: number; readonly body: object }
  /** Returns whether an access token is valid. */
  accepts(authorization: string | undefined): boolean
  grants(): readonly Grant[]
}

const LIFETIME_S = 6
const REFRESH = /^refresh\/(.*)\/(\d+)$/

/** Returns credentials whose access token has expired. The first token request for the user must use their refresh token. */
export function firstTokens(user: string) {
  return { access_token: 'none', refresh_token: `refresh/${user}/0`, expires_at: new Date(0).toISOString() }
}

/** An OAuth provider that rotates refresh tokens: each one can be used once. An access token is valid until it expires. */
export function openTokenProvider(): TokenProvider {
  const grants = new Map<string, Grant>()
  const validUntil = new Map<string, number>()
  return {
    respond(body) {
      const [, user = '', number] = REFRESH.exec(new URLSearchParams(body).get('refresh_token') ?? '') ?? []
      const grant = grants.get(user) ?? { user, issued: 0, early: 0, issuedAt: 0, refused: [] }
      grants.set(user, grant)
      const at = Date.now()
      if (Number(number) !== grant.issued) {
        grant.refused.push({ at, issuedAt: grant.issuedAt })
        return { status: 400, body: { error: 'invalid_grant', error_description: 'the refresh token was used before' } }
      }
      if (at - grant.issuedAt < LIFETIME_S * 500) grant.early++
      grant.issued++
      grant.issuedAt = at
      const token = `access/${user}/${grant.issued}`
      validUntil.set(token, at + LIFETIME_S * 1_000)
      return {
        status: 200,
        body: { access_token: token, token_type: 'bearer', expires_in: LIFETIME_S, refresh_token: `refresh/${user}/${grant.issued}` },
      }
    },
    accepts: (authorization = '') => (validUntil.get(authorization.replace(/^Bearer /, '')) ?? 0) > Date.now(),
    grants: () => [...grants.values()],
  }
}
