import { type ComparedHour, compareHours, DAY_MS, HOUR_MS, readEventHours, readTaskHours, resendCalls } from '@onward/contract'
import { send, type Target } from '@onward/contract-client'
import { type Command, Option } from 'commander'
import { adminOf } from '../admin.ts'
import { timeParser } from '../arguments.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, hint, showList, type Terminal, UsageError } from '../terminal.ts'

type Options = { readonly since: string; readonly until: string; readonly dryRun?: true }

export function addReconcileCommand(reconcile: Command, terminal: Terminal): void {
  const time = timeParser(terminal.now)
  reconcile
    .addOption(
      new Option('--since <time>', 'from this time on: ISO 8601, or an age such as 48h or 3d').argParser(time).default(time('48h'), '48h'),
    )
    .addOption(new Option('--until <time>', 'up to the last full hour before this time').argParser(time).default(time('10m'), '10m'))
    .option('--dry-run', 'only compare')
    .action(async ({ since, until, dryRun }: Options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const insights = await adminOf('insights', terminal, options)
      const [from, to] = [fullHour(since), fullHour(until)]
      if (from >= to) throw new UsageError('there is no full hour from --since to --until')

      const compare = async () => await readAndCompare({ functions, insights }, from, to)
      let compared = await compare()
      if (differingHours(compared.hours).length > 0 && !dryRun) {
        // The missing tasks may still be in the outbox.
        await waitUntilConfirmed(functions, isoTime(to))
        compared = await compare()
      }
      const again = dryRun ? [] : differingHours(compared.hours)
      if (again.length > 0) {
        const tasks = await sendAgain(functions, again)
        hint(terminal, `${tasks} tasks of ${again.length} ${again.length === 1 ? 'hour' : 'hours'} were sent again`)
        compared = await compare()
      }
      const hours = compared.hours.map((each) => ({
        hour: each.hour,
        functions: each.functions?.tasks ?? 0,
        insights: each.insights?.tasks ?? 0,
        same: each.same,
        sent_again: again.includes(each.hour),
      }))
      showList(terminal, options, { hours }, 'hours', ['hour', 'functions', 'insights', 'same', 'sent_again'])
      const { openCalls } = compared
      if (openCalls > 0) hint(terminal, `${openCalls} calls from before ${isoTime(to)} are still running and were not compared`)
      const left = differingHours(compared.hours).length
      if (left > 0) throw new Error(`${left} ${left === 1 ? 'hour differs' : 'hours differ'}`)
    })
  addExamples(reconcile, ['onward reconcile --dry-run', 'onward reconcile --since 3d --json'])
}

function fullHour(time: string): number {
  return Math.floor(Date.parse(time) / HOUR_MS) * HOUR_MS
}

function differingHours(hours: readonly ComparedHour[]): string[] {
  return hours.filter(({ same }) => !same).map(({ hour }) => hour)
}

type Services = { readonly functions: Target; readonly insights: Target }

type Compared = { readonly hours: readonly ComparedHour[]; readonly openCalls: number }

/** Compares the hours between two times (ms), one day per request. Hours without tasks are left out. */
async function readAndCompare({ functions, insights }: Services, since: number, until: number): Promise<Compared> {
  const hours: ComparedHour[] = []
  let openCalls = 0
  for (let from = since; from < until; from += DAY_MS) {
    const query = { since: isoTime(from), until: isoTime(Math.min(from + DAY_MS, until)) }
    // Insights comes last, so that tasks counted between the requests do not appear to be missing.
    const calls = await send(functions, readTaskHours, { query })
    const events = await send(insights, readEventHours, { query })
    hours.push(...compareHours(calls.hours, events.hours))
    openCalls = calls.open_calls
  }
  return { hours, openCalls }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

const POLL_MS = 500
/** How long to wait until insights confirms the tasks in the outbox. */
const CONFIRM_TIMEOUT_MS = 120_000

/** Sends the tasks of some hours again and waits until insights confirms them. Returns the number of tasks. */
async function sendAgain(functions: Target, hours: readonly string[]): Promise<number> {
  let tasks = 0
  let sentAt: string | undefined
  for (const hour of hours) {
    let cursor: string | null = null
    do {
      const until = isoTime(Date.parse(hour) + HOUR_MS)
      const sent: { tasks: number; sent_at: string; _cursor: string | null } = await send(functions, resendCalls, {
        body: { since: hour, until, _cursor: cursor },
      })
      tasks += sent.tasks
      sentAt = sent.sent_at
      cursor = sent._cursor
    } while (cursor !== null)
  }
  if (sentAt !== undefined) await waitUntilConfirmed(functions, sentAt)
  return tasks
}

/** Waits until the outbox contains nothing that was queued before a time. */
async function waitUntilConfirmed(functions: Target, upTo: string): Promise<void> {
  const query = { since: upTo, until: isoTime(Date.parse(upTo) + 1) }
  const deadline = Date.now() + CONFIRM_TIMEOUT_MS
  for (;;) {
    const { outbox_oldest_at: oldest } = await send(functions, readTaskHours, { query })
    if (oldest === null || Date.parse(oldest) > Date.parse(upTo)) return
    if (Date.now() > deadline)
      throw new Error(`insights has not confirmed the tasks that were queued at ${oldest} within ${CONFIRM_TIMEOUT_MS / 1_000} s`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
