/** A failure that an OAuth client receives as JSON (RFC 6749, 5.2). */
export class OAuthProblem extends Error {
  readonly status: 400 | 401
  readonly error: string

  constructor(error: string, description: string) {
    super(description)
    this.error = error
    this.status = error === 'invalid_client' ? 401 : 400
  }
}
