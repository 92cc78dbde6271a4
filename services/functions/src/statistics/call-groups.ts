import { type CallGroup, type CallSums, DURATION_BOUNDS_MS, type FailureCause } from '../db/call-statistics.ts'

/** Adds groups to the groups of the same hour, application, function and result. */
export function mergeGroups(into: Map<string, CallGroup>, groups: readonly CallGroup[]): void {
  for (const group of groups) {
    const { hour, appKey, app, functionName, outcome, networkCode } = group
    const key = JSON.stringify([+hour, appKey, app, functionName, outcome, networkCode])
    const known = into.get(key)
    into.set(
      key,
      known === undefined ? group : { ...group, ...addCalls(known, group), lastCallId: newer(known.lastCallId, group.lastCallId) },
    )
  }
}

/** Adds causes to the causes of the same function and result. */
export function mergeCauses(into: Map<string, FailureCause>, causes: readonly FailureCause[]): void {
  for (const { app, functionName, outcome, networkCode, calls, lastCallId } of causes) {
    const cause = { app, functionName, outcome, networkCode }
    const key = causeKey(cause)
    const known = into.get(key)
    into.set(key, { ...cause, calls: calls + (known?.calls ?? 0), lastCallId: newer(known?.lastCallId ?? '', lastCallId) })
  }
}

/** Returns a text that is the same for failures of the same function and result. */
export function causeKey({ app, functionName, outcome, networkCode }: Omit<FailureCause, 'calls' | 'lastCallId'>): string {
  return JSON.stringify([app, functionName, outcome, networkCode])
}

/** Returns the later of two ids. UUIDv7 sort by time. */
function newer(a: string, b: string): string {
  return a > b ? a : b
}

type Counted = { readonly calls: number; readonly durations: readonly number[] }

function addCalls(a: Counted, b: Counted): Counted {
  return { calls: a.calls + b.calls, durations: a.durations.map((calls, place) => calls + (b.durations[place] ?? 0)) }
}

/** Returns the sum of two sums with the same key. */
export function addSums(a: CallSums, b: CallSums): CallSums {
  return { key: a.key, ...addCalls(a, b), tasks: a.tasks + b.tasks, failed: a.failed + b.failed }
}

export function sumsOf(key: string | null, group: CallGroup): CallSums {
  const { calls, durations, outcome } = group
  return { key, calls, durations, tasks: outcome === 'unreachable' ? 0 : calls, failed: isFailure(group) ? calls : 0 }
}

export function isFailure({ outcome, networkCode }: Pick<CallGroup, 'outcome' | 'networkCode'>): boolean {
  return outcome !== 'answered' || (networkCode !== null && networkCode >= 400)
}

/**
 * Returns the duration in ms below which a share of the calls lies, 0 to 1; null without durations. It is exact only at the bounds: between
 * them, durations are assumed to be evenly spread on a logarithmic scale.
 */
export function percentileOf(durations: readonly number[], share: number): number | null {
  let rank = share * durations.reduce((sum, calls) => sum + calls, 0)
  if (rank === 0) return null
  for (const [place, calls] of durations.entries()) {
    if (rank <= calls) {
      const from = DURATION_BOUNDS_MS[place - 1] ?? 1
      return Math.round(from * 2 ** (rank / calls))
    }
    rank -= calls
  }
  return null
}
