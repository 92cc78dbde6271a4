/** The access token in the cookie is valid for 45 s. */
const RENEW_AFTER_MS = 30_000

type Session = {
  /** Resolves when the access token is young enough for a request. Renews it otherwise, once for all that wait. */
  fresh(): Promise<void>
  /** The next `fresh` renews, because the service refused the token. */
  expire(): void
  /** Marks the token as new, after a sign-in. */
  renewed(): void
}

/**
 * Keeps the access token of the session valid. It is renewed when a request needs it, so a page in the background renews nothing. `renew`
 * asks the service for a new one; its error is passed to all that wait. `now` is in ms.
 */
export function makeSession(renew: () => Promise<unknown>, now: () => number): Session {
  let renewedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  const session: Session = {
    async fresh() {
      if (now() - renewedAt < RENEW_AFTER_MS) return
      running ??= renew()
        .then(session.renewed)
        .finally(() => {
          running = undefined
        })
      await running
    },
    expire() {
      renewedAt = Number.NEGATIVE_INFINITY
    },
    renewed() {
      renewedAt = now()
    },
  }
  return session
}
