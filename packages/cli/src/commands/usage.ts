import { listWorkspaces, type ResponseOf, readMonthUsage } from '@onward/contract'
import { send } from '@onward/contract-client'
import { writeJson } from '@onward/json'
import { type Command, Option } from 'commander'
import { adminOf, ownWorkspace } from '../admin.ts'
import { parseUserId, wholeNumberParser } from '../arguments.ts'
import { insightsOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, hint, showList, showOne, type Terminal, UsageError } from '../terminal.ts'
import { addSend } from './usage-send.ts'

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
  addExport(usage, terminal)
  addSend(usage, terminal)
  addExamples(usage, [
    'onward usage joe@example.com',
    'onward usage export --month 2026-10 > usage-2026-10.csv',
    'onward usage send --to stripe --month 2026-10 --journal stripe.ndjson --customers customers.json',
    'onward usage --limit-reached --json',
    'onward usage joe@example.com --history --since 2026-11-01',
  ])
}

type Export = GlobalOptions & {
  readonly month: string
  readonly workspace?: string
  readonly appKey?: string
  readonly format: 'csv' | 'ndjson'
}

const EXPORTED = ['month', 'workspace_id', 'app_key', 'user_id', 'tasks', 'final'] as const

function addExport(usage: Command, terminal: Terminal): void {
  usage
    .command('export')
    .description('Print the tasks of all users in a month (UTC), for billing. Needs a token.')
    .requiredOption('--month <month>', 'for example 2026-10')
    .option('--workspace <workspace_id>', 'only this workspace')
    .option('--app-key <app_key>', 'only this application of the workspace')
    .addOption(new Option('--format <format>', 'format of the lines').choices(['csv', 'ndjson']).default('csv'))
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<Export>()
      const { month, format, appKey: app_key } = options
      const insights = await adminOf('insights', terminal, options)
      const only = options.workspace ?? (await ownWorkspace(terminal, options))
      const workspaces = only === undefined ? (await send(insights, listWorkspaces)).workspaces.map((each) => each.workspace_id) : [only]
      if (app_key !== undefined && workspaces.length !== 1) throw new UsageError('--app-key needs --workspace')
      if (format === 'csv') terminal.stdout.write(`${EXPORTED.join(',')}\n`)
      const total = { users: 0, tasks: 0, finalAt: '' }
      for (const workspace_id of workspaces) {
        let cursor: string | undefined
        do {
          const asked = { params: { workspace_id, month }, query: { app_key, _cursor: cursor } }
          const page: ResponseOf<typeof readMonthUsage> = await send(insights, readMonthUsage, asked)
          for (const user of page.users) {
            const row = { month, workspace_id, ...user, final: page.final }
            terminal.stdout.write(format === 'csv' ? `${EXPORTED.map((name) => csvCell(row[name])).join(',')}\n` : `${writeJson(row)}\n`)
            total.users += 1
            total.tasks += user.tasks
          }
          if (!page.final) total.finalAt = page.final_at
          cursor = page._cursor ?? undefined
        } while (cursor !== undefined)
      }
      hint(terminal, `${total.tasks} tasks of ${total.users} users`)
      if (total.finalAt !== '') hint(terminal, `not final: tasks of the month can still be counted until ${total.finalAt}`)
    })
}

/** Returns a cell of CSV. A user id that a spreadsheet would run as a formula gets an apostrophe before it, as in the console's exports. */
function csvCell(value: string | number | boolean): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
