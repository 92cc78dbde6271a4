import type { Command } from '../rig/command-line.ts'
import { withOwnCpus } from '../rig/cpu.ts'
import { spread } from '../rig/goals.ts'
import type { Rig } from '../rig/open-rig.ts'
import { queryPostgres } from '../rig/postgres-server.ts'
import { type Full, loadFully, type Plan } from './call.ts'
import { HELPING, type Onward, openOnward } from './call-variants.ts'
import { insertCalls, insertDays, insertEvents, insertFunctions } from './fill.ts'
import { insertUsers } from './users.ts'

/** How much a system holds. `rows`: of the calls log. */
export type Size = { readonly rows: number; readonly users: number; readonly accounts: number; readonly functions: number }

/** Calls of the same number of users in an empty system and in a grown one, and calls of all users with accounts of the grown one. */
type Round = { readonly empty: Full; readonly grown: Full; readonly everybody: Full }

const OPTIONS = { functions: 1, insights: 1, links: false, built: true, realDisks: true }

export const growth: Command = {
  summary: 'CPU time of a call in a system with many users, accounts, functions and logged calls, compared with an empty one',
  options: {
    rows: 10_000_000,
    users: 1_000_000,
    accounts: 100_000,
    functions: 10_000,
    active: 1_000,
    rounds: 5,
    seconds: 6,
    connections: 64,
  },
  async run({ say, withRig, report }, given) {
    const plan = { rounds: given.number('rounds'), seconds: given.number('seconds'), connections: given.number('connections') }
    const size = {
      rows: given.number('rows'),
      users: given.number('users'),
      accounts: given.number('accounts'),
      functions: given.number('functions'),
    }
    const active = given.number('active')
    await withOwnCpus(1, (prepare) =>
      withRig(OPTIONS, async (emptyRig) => {
        const empty = await openOnward(emptyRig, active)
        await withRig(
          OPTIONS,
          async (rig) => {
            const everybody = await openGrown(rig, size)
            say(`the grown system: ${await sizeOf(rig)}`)
            const rounds = await measureGrowth(empty, everybody, plan, prepare)
            for (const kind of ['empty', 'grown', 'everybody'] as const) say(`${kind}: ${textOf(rounds.map((round) => round[kind]))}`)
            const ratio = (value: (full: Full) => number, kind: keyof Round = 'grown') =>
              rounds.map((round) => value(round[kind]) / value(round.empty))
            say(
              `calls of ${size.accounts} users in turn, CPU of all parts divided by empty: ${spread(ratio(({ cpu }) => cpu.all, 'everybody'))}`,
            )
            report([
              {
                name: 'P11',
                what: 'CPU of the process, grown divided by empty',
                values: ratio(({ cpu }) => cpu.process),
                unit: '',
                atMost: 1.2,
              },
              { name: 'P11', what: 'CPU of all parts, grown divided by empty', values: ratio(({ cpu }) => cpu.all), unit: '', atMost: 1.2 },
            ])
          },
          'grown',
        )
      }),
    )
  },
}

/** Fills a rig that has not started yet, and starts it. */
export async function openGrown(rig: Rig, { rows, users, accounts, functions }: Size): Promise<Onward> {
  await insertFunctions(rig, functions)
  await insertCalls(rig, rows, users)
  await insertEvents(rig, Math.ceil(rows / 3), users)
  const onward = await openOnward(rig, accounts)
  // After their application is created: otherwise, insights would check the limits of all these users during the measurement.
  await insertUsers(rig.insightsDb, users)
  await insertDays(rig)
  return onward
}

/** The first round warms up, and is not returned. The active users of the grown system are spread over all of its accounts. */
export async function measureGrowth(empty: Onward, everybody: Onward, plan: Plan, prepare: (pid: number) => void): Promise<Round[]> {
  for (const { pids } of [empty, everybody]) pids.process.forEach(prepare)
  const step = Math.max(1, Math.floor(everybody.requests.length / empty.requests.length))
  const grown = { ...everybody, requests: everybody.requests.filter((_request, n) => n % step === 0) }
  const rounds: Round[] = []
  while (rounds.length <= plan.rounds) {
    rounds.push({
      empty: await loadFully(empty, plan),
      grown: await loadFully(grown, plan),
      everybody: await loadFully(everybody, plan),
    })
  }
  return rounds.slice(1)
}

function textOf(all: readonly Full[]): string {
  const helping = HELPING.map((group) => `${group} ${spread(all.map(({ cpu }) => cpu[group] ?? 0))}`)
  const cpu = [`process ${spread(all.map((full) => full.cpu.process))}`, ...helping, `all ${spread(all.map((full) => full.cpu.all))}`]
  return `${spread(all.map(({ perSecond }) => perSecond))} calls per second; µs of CPU for a call: ${cpu.join(', ')}`
}

/** Returns how many rows the large tables hold, as Postgres estimates, and the sizes of the databases. */
async function sizeOf({ functionsDb, insightsDb }: Rig): Promise<string> {
  const texts = await Promise.all(
    [functionsDb, insightsDb].map(async (url) => {
      const rows = await queryPostgres<{ text: string }>(
        url,
        `select string_agg(name || ' ' || rows, ', ' order by rows desc) || ' rows, ' || pg_size_pretty(pg_database_size(current_database())) as text
         from (
           select regexp_replace(relname, '_\\d+$', '') as name, sum(reltuples)::bigint as rows from pg_class
           where relkind = 'r' and relnamespace = 'public'::regnamespace group by 1
         ) tables where rows >= 10000`,
      )
      return rows[0]?.text ?? ''
    }),
  )
  return texts.join('; ')
}
