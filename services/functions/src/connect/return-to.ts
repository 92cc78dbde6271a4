import type { ConnectSession } from '../db/connect-sessions.ts'
import type { Target } from './find-target.ts'

/** The way back to the application with how it ended; undefined when none was asked for, or it is allowed no longer. */
export function returnTo(
  { application }: Target,
  { redirectUri }: Pick<ConnectSession, 'redirectUri'>,
  result: Readonly<Record<string, string>>,
): { location: string } | undefined {
  if (redirectUri === null || !application.allowedRedirects.includes(redirectUri)) return undefined
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value)
  return { location: url.href }
}
