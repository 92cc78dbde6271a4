import { type Command, Option } from 'commander'
import { timeBefore } from '../arguments.ts'
import { hint, showList } from '../output.ts'
import { type ComparedHour, compareHours, isoTime } from '../reconcile/compare-hours.ts'
import { confirmed, sendAgain } from '../reconcile/send-again.ts'
import { adminOf } from '../settings.ts'
import { type GlobalOptions, type Terminal, UsageError } from '../terminal.ts'

type Options = { readonly since: string; readonly until: string; readonly dryRun?: true }

const HOUR_MS = 3_600_000

export function addReconcileCommand(program: Command, terminal: Terminal): void {
  const time = timeBefore(terminal.now)
  program
    .command('reconcile')
    .description(
      'Compare, hour by hour, the calls that functions has logged with the tasks that insights knows, and send again what differs.',
    )
    .addOption(
      new Option('--since <time>', 'from this time on: ISO 8601, or how long ago as 48h or 3d').argParser(time).default(time('48h'), '48h'),
    )
    .addOption(new Option('--until <time>', 'up to the last full hour before this time').argParser(time).default(time('10m'), '10m'))
    .option('--dry-run', 'compare only')
    .action(async ({ since, until, dryRun }: Options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const insights = await adminOf('insights', terminal, options)
      const [from, to] = [fullHour(since), fullHour(until)]
      if (from >= to) throw new UsageError('there is no full hour from --since to --until')

      const compare = async () => await compareHours({ functions, insights }, from, to)
      let compared = await compare()
      if (differing(compared.hours).length > 0 && !dryRun) {
        // It may be on its way.
        await confirmed(functions, isoTime(to))
        compared = await compare()
      }
      const again = dryRun ? [] : differing(compared.hours)
      if (again.length > 0) {
        const tasks = await sendAgain(functions, again)
        hint(terminal, `${tasks} tasks of ${again.length} ${again.length === 1 ? 'hour' : 'hours'} were sent again`)
        compared = await compare()
      }
      const hours = compared.hours.map((each) => ({ ...each, sent_again: again.includes(each.hour) }))
      showList(terminal, options, { hours }, 'hours', ['hour', 'functions', 'insights', 'same', 'sent_again'])
      const { openCalls } = compared
      if (openCalls > 0) hint(terminal, `${openCalls} calls from before ${isoTime(to)} have not ended yet: they are not compared`)
      const left = differing(compared.hours).length
      if (left > 0) throw new Error(`${left} ${left === 1 ? 'hour differs' : 'hours differ'}`)
    })
}

function fullHour(time: string): number {
  return Math.floor(Date.parse(time) / HOUR_MS) * HOUR_MS
}

function differing(hours: readonly ComparedHour[]): string[] {
  return hours.filter(({ same }) => !same).map(({ hour }) => hour)
}
