import type { AppFunction } from '@onward/catalog'
import { isSuccess } from '@onward/runtime'

/** A response of an app. `url` is null if the response came from a host that received no credentials. `body` is redacted; it is parsed when it is read. */
export type AppResponse = {
  readonly url: string | null
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Returns whether the app answered with a 2xx status, but the body says that the call failed. */
export function hasAppError({ isError }: AppFunction, response: AppResponse): boolean {
  return isError !== null && isSuccess(response.status) && isError(response.body)
}

/**
 * Returns whether the app refused the credentials: with status 401, in an error with a code that the app file names, or with a challenge that
 * says so (RFC 6750, 3.1) under another status of 4xx.
 */
export function refusesCredentials(fn: AppFunction, response: AppResponse): boolean {
  const { status, url } = response
  if (url === null) return false
  if (status === 401 || isChallenge(response)) return true
  if (fn.isRefused === null || (isSuccess(status) && !hasAppError(fn, response))) return false
  return fn.isRefused(url, response.body)
}

export function isChallenge({ status, headers }: AppResponse): boolean {
  const challenge: string | undefined = headers['www-authenticate']
  if (status < 400 || status > 499 || challenge === undefined) return false
  return /(?:^|,)\s*Bearer\b.*\berror\s*=\s*"?invalid_token\b/i.test(challenge)
}
