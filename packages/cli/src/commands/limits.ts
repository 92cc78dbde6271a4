import type { Command } from 'commander'
import { parseUserId, wholeNumberParser } from '../arguments.ts'
import { insightsOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, showOne, type Terminal, UsageError } from '../terminal.ts'

type Asked = GlobalOptions & { readonly appKey?: string }

const APP_KEY = ['--app-key <app_key>', 'application of the user; by default the application of the profile'] as const

export function addLimitsCommands(limits: Command, terminal: Terminal): void {
  limits
    .command('get')
    .description('Show the limit of a user.')
    .argument('<user_id>', 'User-ID of the user', parseUserId)
    .option(...APP_KEY)
    .action(async (userId: string, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<Asked>()
      const { users } = await insightsOf(terminal, asked, 'application')
      const { user_id, current_limit, limit_period, tasks_remaining, limit_reset_after } = await users.get(userId)
      showOne(terminal, asked, { user_id, current_limit, limit_period, tasks_remaining, limit_reset_after })
    })

  limits
    .command('set')
    .description('Set the limit of a user, or of all existing users of the workspace, in tasks per period.')
    .argument('<tasks>', 'number of tasks', wholeNumberParser(0))
    .option('--user <user_id>', 'User-ID of the user', parseUserId)
    .option('--all', 'all existing users of the workspace')
    .option(...APP_KEY)
    .action(async (tasks: number, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<Asked & { user?: string; all?: true }>()
      if ((asked.user === undefined) !== (asked.all === true)) throw new UsageError('give either --user or --all')
      if (asked.user === undefined) await (await insightsOf(terminal, asked, 'workspace')).limits.setAll(tasks)
      else await (await insightsOf(terminal, asked, 'application')).limits.set({ [asked.user]: tasks })
      showOne(terminal, asked, { ...(asked.user === undefined ? { users: 'all' } : { user_id: asked.user }), current_limit: tasks })
    })

  limits
    .command('default')
    .description('Set the limit of users whom Onward sees for the first time.')
    .argument('<tasks>', 'number of tasks', wholeNumberParser(0))
    .action(async (tasks: number, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<Asked>()
      await (await insightsOf(terminal, asked, 'workspace')).limits.setDefault(tasks)
      showOne(terminal, asked, { default_limit: tasks })
    })
  addExamples(limits, [
    'onward limits get joe@example.com',
    'onward limits set 5000 --user joe@example.com',
    'onward limits set 1000 --all',
    'onward limits default 500 --json',
  ])
}
