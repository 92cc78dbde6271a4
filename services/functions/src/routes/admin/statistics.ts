import { DAY_MS, HOUR_MS, readAttention, readCallStatistics, type StatisticsKey } from '@onward/contract'
import { Refusal, readTime } from '@onward/runtime'
import { appMessageOf } from '../../call/app-message.ts'
import type { Context } from '../../context.ts'
import { selectAppKeys } from '../../db/applications.ts'
import { countPendingApprovals } from '../../db/approvals.ts'
import {
  type CallGroup,
  type CallSums,
  type FailureCause,
  findNewestCountedHour,
  type HourFilter,
  hourOf,
  selectCauses,
  selectCauseUsers,
  selectHourSums,
  selectKeys,
} from '../../db/call-statistics.ts'
import { selectOutputs } from '../../db/calls.ts'
import { countBrokenAccounts } from '../../db/connected-accounts.ts'
import { addSums, causeKey, isFailure, mergeCauses, percentileOf, sumsOf } from '../../statistics/call-groups.ts'
import { route } from '../route.ts'

const MAX_DAYS = 100
/** Maximum number of hours, times keys, in a response. */
const MAX_ITEMS = 10_000
const MAX_KEYS = 50
const MAX_CAUSES = 20
/** How many of the most frequent causes of the counted hours are merged with the causes of the running hour. */
const MERGED_CAUSES = 200

export const readCallStatisticsRoute = route(readCallStatistics, async (ctx, { query }) => {
  const { asOf, since: recentSince, groups } = await ctx.recentCalls()
  const filter = await readFilter(ctx, query, asOf)
  const newest = await findNewestCountedHour(ctx.db)
  // Hours before this time are read from the counts, the others from the calls log.
  const split = newest === undefined ? recentSince : new Date(Math.max(+recentSince, +newest + HOUR_MS))
  const counted = { ...filter, until: new Date(Math.min(+filter.until, +split)) }
  const recent = groups.filter((group) => group.hour >= split && isWanted(filter, group))
  const hours = await readHours(ctx, counted, recent, query.by)
  const causes = await readCauses(ctx, counted, recent)
  const descriptions = query.describe_causes ? await describeCauses(ctx, filter, causes) : []
  return {
    as_of: asOf.toISOString(),
    hours: hours.map(({ hour, ...sums }) => ({ hour: hour.toISOString(), ...presentSums(sums) })),
    totals: totalsOf(hours).map(presentSums),
    causes: causes.map(({ app, functionName, outcome, networkCode, calls, lastCallId }, at) => ({
      app,
      function_name: functionName,
      outcome,
      network_code: networkCode,
      calls,
      last_call_id: lastCallId,
      ...descriptions[at],
    })),
  }
})

function presentSums({ key, calls, tasks, failed, durations }: CallSums) {
  return { key, calls, tasks, failed, p50_ms: percentileOf(durations, 0.5), p95_ms: percentileOf(durations, 0.95) }
}

/** Returns the sums of all hours by key, keys with the most calls first. */
function totalsOf(hours: readonly CallSums[]): CallSums[] {
  const totals = new Map<string | null, CallSums>()
  for (const sums of hours) {
    const known = totals.get(sums.key)
    totals.set(sums.key, known === undefined ? sums : addSums(known, sums))
  }
  return [...totals.values()].sort((a, b) => b.calls - a.calls || byText(a.key, b.key))
}

function byText(a: string | null, b: string | null): number {
  return a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1
}

type Query = {
  readonly workspace_id?: string
  readonly app_key?: string
  readonly app?: string
  readonly function_name?: string
  readonly since?: string
  readonly until?: string
}

async function readFilter(ctx: Context, query: Query, asOf: Date): Promise<HourFilter> {
  const until = readTime('until', query.until) ?? new Date(+asOf + HOUR_MS)
  const since = hourOf(readTime('since', query.since) ?? new Date(+asOf - DAY_MS))
  if (+until - +since > MAX_DAYS * DAY_MS) {
    throw new Refusal('invalid_parameters', 'the parameters are not valid', [`until: must be at most ${MAX_DAYS} days after since`])
  }
  const { workspace_id: workspaceId, app_key: appKey, app, function_name: functionName } = query
  const ofWorkspace = workspaceId === undefined ? undefined : await selectAppKeys(ctx.db, workspaceId)
  const appKeys = appKey === undefined ? ofWorkspace : (ofWorkspace ?? [appKey]).filter((each) => each === appKey)
  return { appKeys, app: app?.toLowerCase(), functionName, since, until }
}

function isWanted({ appKeys, app, functionName, since, until }: HourFilter, group: CallGroup): boolean {
  return (
    (appKeys === undefined || appKeys.includes(group.appKey)) &&
    (app === undefined || app === group.app) &&
    (functionName === undefined || functionName === group.functionName) &&
    group.hour >= since &&
    group.hour < until
  )
}

function keyOf(group: CallGroup, by: StatisticsKey): string | null {
  switch (by) {
    case 'none':
      return null
    case 'app':
      return group.app
    case 'function_name':
      return group.functionName
    case 'app_key':
      return group.appKey
  }
}

type HourSums = CallSums & { readonly hour: Date }

/** Returns the sums by hour and key, in order. */
async function readHours(ctx: Context, counted: HourFilter, recent: readonly CallGroup[], by: StatisticsKey): Promise<HourSums[]> {
  const keys = by === 'none' ? undefined : await readKeys(ctx, counted, recent, by)
  const sums = new Map<string, HourSums>()
  const add = (each: HourSums) => {
    const place = JSON.stringify([+each.hour, each.key])
    const known = sums.get(place)
    sums.set(place, known === undefined ? each : { hour: each.hour, ...addSums(known, each) })
  }
  for (const each of await selectHourSums(ctx.slowDb, counted, by, keys)) add(each)
  for (const group of recent) {
    const key = keyOf(group, by)
    if (keys === undefined || (key !== null && keys.includes(key))) add({ hour: group.hour, ...sumsOf(key, group) })
  }
  return [...sums.values()].sort((a, b) => +a.hour - +b.hour || byText(a.key, b.key))
}

/** Returns the keys with the most calls, as many as fit into a response. */
async function readKeys(ctx: Context, counted: HourFilter, recent: readonly CallGroup[], by: StatisticsKey): Promise<string[]> {
  const calls = new Map<string, number>()
  const add = (key: string, more: number) => calls.set(key, (calls.get(key) ?? 0) + more)
  // Twice as many, because recent calls can change the order.
  for (const each of await selectKeys(ctx.slowDb, counted, by, 2 * MAX_KEYS)) add(each.key, each.calls)
  for (const group of recent) add(keyOf(group, by) ?? '', group.calls)
  const hours = Math.max(1, (+counted.until - +counted.since) / HOUR_MS)
  const most = Math.min(MAX_KEYS, Math.floor(MAX_ITEMS / hours))
  const sorted = [...calls].sort(([a, callsOfA], [b, callsOfB]) => callsOfB - callsOfA || (a < b ? -1 : 1))
  return sorted.slice(0, most).map(([key]) => key)
}

/** Returns the most frequent kinds of failure. */
async function readCauses(ctx: Context, counted: HourFilter, recent: readonly CallGroup[]): Promise<FailureCause[]> {
  const causes = new Map<string, FailureCause>()
  mergeCauses(causes, await selectCauses(ctx.slowDb, counted, MERGED_CAUSES))
  mergeCauses(causes, recent.filter(isFailure))
  return [...causes.values()].sort((a, b) => b.calls - a.calls || (a.lastCallId > b.lastCallId ? -1 : 1)).slice(0, MAX_CAUSES)
}

/** Returns how many users each cause affects, and what the app says in its newest call. */
async function describeCauses(ctx: Context, filter: HourFilter, causes: readonly FailureCause[]) {
  const users = new Map((await selectCauseUsers(ctx.slowDb, filter)).map((each) => [causeKey(each), each]))
  const outputs = await selectOutputs(
    ctx.db,
    causes.map(({ lastCallId }) => lastCallId),
  )
  return causes.map((cause) => {
    const found = users.get(causeKey(cause))
    const output = outputs.get(cause.lastCallId)
    const message = output === undefined ? undefined : appMessageOf(JSON.parse(output))
    return {
      users: found?.users ?? 0,
      users_complete: (found?.calls ?? 0) >= cause.calls,
      ...(message !== undefined && { message }),
    }
  })
}

export const readAttentionRoute = route(readAttention, async (ctx, { query }) => {
  const broken = await countBrokenAccounts(ctx.slowDb, query.workspace_id)
  const pending = await countPendingApprovals(ctx.db, query.workspace_id)
  return { broken_accounts: broken, rejected_functions: ctx.catalog.current.functions.rejected.length, pending_approvals: pending }
})
