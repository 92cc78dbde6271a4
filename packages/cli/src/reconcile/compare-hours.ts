import { send, type Target } from '@onward/client'
import { type Answer, readCallHours, readEventHours } from '@onward/contract'

export type Services = { readonly functions: Target; readonly insights: Target }

/** An hour's tasks by both services; `same` when they are the same ones. */
export type ComparedHour = { readonly hour: string; readonly functions: number; readonly insights: number; readonly same: boolean }

export type Compared = { readonly hours: readonly ComparedHour[]; readonly openCalls: number }

type Tasks = Answer<typeof readEventHours>['hours'][number]

const STEP_MS = 24 * 3_600_000

/** Compares the hours of a span of time (ms), a day at a time. Hours without tasks are left out. */
export async function compareHours({ functions, insights }: Services, since: number, until: number): Promise<Compared> {
  const hours: ComparedHour[] = []
  let openCalls = 0
  for (let from = since; from < until; from += STEP_MS) {
    const query = { since: isoTime(from), until: isoTime(Math.min(from + STEP_MS, until)) }
    // Insights last: what is counted in between does not seem to be missing.
    const calls = await send(functions, readCallHours, { query })
    const events = await send(insights, readEventHours, { query })
    hours.push(...joined(calls.hours, events.hours))
    openCalls = calls.open_calls
  }
  return { hours, openCalls }
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

function joined(calls: readonly Tasks[], events: readonly Tasks[]): ComparedHour[] {
  const [sent, counted] = [byHour(calls), byHour(events)]
  return [...new Set([...sent.keys(), ...counted.keys()])]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((hour) => {
      const [ours, theirs] = [sent.get(hour), counted.get(hour)]
      return {
        hour,
        functions: ours?.tasks ?? 0,
        insights: theirs?.tasks ?? 0,
        same: ours?.tasks === theirs?.tasks && ours?.xor === theirs?.xor,
      }
    })
}

function byHour(hours: readonly Tasks[]): Map<string, Tasks> {
  return new Map(hours.map((each) => [each.hour, each]))
}
