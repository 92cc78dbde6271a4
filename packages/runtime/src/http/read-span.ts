import { Refusal } from '../refusal.ts'

const DAY_MS = 86_400_000
const DAYS_MAX = 40

/** Reads a span of time that was checked as date-times. A Refusal where it is none (leap seconds), empty or too long. */
export function readSpan({ since, until }: { readonly since: string; readonly until: string }): { since: Date; until: Date } {
  const [from, to] = [new Date(since), new Date(until)]
  const [first, end] = [from.getTime(), to.getTime()]
  const problem = (text: string) => new Refusal('invalid_parameters', 'the parameters are not valid', [text])
  if (Number.isNaN(first)) throw problem('since: must be a valid date-time')
  if (Number.isNaN(end)) throw problem('until: must be a valid date-time')
  if (end <= first || end - first > DAYS_MAX * DAY_MS) throw problem(`until: must be after since, by ${DAYS_MAX} days at most`)
  return { since: from, until: to }
}
