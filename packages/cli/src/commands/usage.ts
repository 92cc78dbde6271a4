import type { Command } from 'commander'
import { parseUserId, wholeNumberParser } from '../arguments.ts'
import { insightsOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, showList, showOne, type Terminal, UsageError } from '../terminal.ts'

type Asked = GlobalOptions & {
  readonly appKey?: string
  readonly search?: string
  readonly limitReached?: true
  readonly history?: true
  readonly since?: string
  readonly until?: string
  readonly limit: number
}

const COLUMNS = ['user_id', 'tasks_consumed', 'current_limit', 'tasks_remaining', 'tasks_consumed_percent', 'limit_reset_after']

export function addUsageCommand(usage: Command, terminal: Terminal): void {
  usage
    .argument('[user_id]', 'User-ID of a user; without it, all users are listed', parseUserId)
    .option('--app-key <app_key>', 'application of the users; by default the application of the profile')
    .option('--search <text>', 'only users whose id contains this text')
    .option('--limit-reached', 'only users who have reached their limit')
    .option('--limit <n>', 'maximum number of users', wholeNumberParser(1), 100)
    .option('--history', 'tasks of each day, for one user')
    .option('--since <day>', 'first day of the history, for example 2026-11-01; by default 30 days ago')
    .option('--until <day>', 'last day of the history')
    .action(async (userId: string | undefined, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<Asked>()
      const { search, limitReached, limit, history, since, until } = asked
      if (userId === undefined && (history || since || until)) throw new UsageError('a history belongs to one user: give a user_id')
      const { users } = await insightsOf(terminal, asked, 'application')
      if (userId === undefined) {
        const found = await users.list({ search, limitReached }).toArray({ limit })
        showList(terminal, asked, { users: found }, 'users', COLUMNS)
      } else if (history || since || until) {
        showList(terminal, asked, await users.history(userId, { since, until }), 'days', ['date', 'tasks_consumed'])
      } else {
        showOne(terminal, asked, await users.get(userId))
      }
    })
  addExamples(usage, [
    'onward usage joe@example.com',
    'onward usage --limit-reached --json',
    'onward usage joe@example.com --history --since 2026-11-01',
  ])
}
