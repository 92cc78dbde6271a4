import { DAY_MS, HOUR_MS, type ResponseOf, readReconcile, startReconcile } from '@onward/contract'
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
      new Option('--since <time>', 'from the hour of this time on: ISO 8601, or an age such as 48h or 3d')
        .argParser(time)
        .default(time('48h'), '48h'),
    )
    .addOption(new Option('--until <time>', 'up to this time').argParser(time).default(time('0s'), 'ten seconds ago'))
    .option('--dry-run', 'only compare')
    .action(async ({ since, until, dryRun }: Options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const insights = await adminOf('insights', terminal, options)
      const [from, to] = [Math.floor(Date.parse(since) / HOUR_MS) * HOUR_MS, Date.parse(until)]
      if (from >= to) throw new UsageError('--until must be after --since')

      const runs: Run[] = []
      for (let start = from; start < to; start += MAX_SPAN_MS) {
        const body = { since: isoTime(start), until: isoTime(Math.min(start + MAX_SPAN_MS, to)), dry_run: dryRun === true }
        runs.push(await waitForEnd(insights, await send(insights, startReconcile, { body })))
      }
      const hours = runs.flatMap((run) => run.hours)
      const again = hours.filter((each) => each.sent_again).length
      const tasks = runs.reduce((sum, run) => sum + run.tasks_sent, 0)
      if (again > 0) hint(terminal, `${tasks} tasks of ${again} ${again === 1 ? 'hour' : 'hours'} were sent again`)
      showList(terminal, options, { hours }, 'hours', ['hour', 'functions', 'insights', 'same', 'sent_again'])
      const { open_calls: open = 0, until: end } = runs.at(-1) ?? {}
      if (open > 0) hint(terminal, `${open} calls from before ${end} are still running and were not compared`)
      const left = hours.filter(({ same }) => !same).length
      if (left > 0) throw new Error(`${left} ${left === 1 ? 'hour differs' : 'hours differ'}`)
    })
  addExamples(reconcile, ['onward reconcile --dry-run', 'onward reconcile --since 3d --json'])
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

type Run = ResponseOf<typeof startReconcile>

/** The longest span of one comparison. */
const MAX_SPAN_MS = 40 * DAY_MS

const POLL_MS = 500

/** Waits until a comparison is done. Throws if it fails, or if somebody stops or replaces it. */
async function waitForEnd(insights: Target, started: Run): Promise<Run> {
  for (let run = started; ; ) {
    if (run.state === 'done') return run
    if (run.state === 'failed') throw new Error(run.error ?? 'the comparison failed')
    if (run.state === 'stopped') throw new Error('the comparison was stopped')
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const { run: last } = await send(insights, readReconcile, {})
    if (last?.id !== started.id) throw new Error('another comparison was started; it replaces this one')
    run = last
  }
}
