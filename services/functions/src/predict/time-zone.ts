import { Refusal } from '@onward/runtime'

/** The time zone that a caller names; UTC when none is. Throws a Refusal when there is no such time zone. */
export function readTimeZone(name: string | null | undefined): string {
  if (!name) return 'UTC'
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    throw new Refusal('invalid_parameters', 'the parameters are not valid', ['time_zone: must be a time zone, such as Europe/Rome'])
  }
}
