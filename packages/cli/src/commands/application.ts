import { send } from '@onward/client'
import { listApplications, putApplication, putInsightsApplication, rotateSecret } from '@onward/contract'
import type { Command } from 'commander'
import { hours, wholeFrom } from '../arguments.ts'
import { hint, showList, showOne } from '../output.ts'
import { adminOf } from '../settings.ts'
import type { GlobalOptions, Terminal } from '../terminal.ts'

type NewApplication = { readonly workspace: string; readonly name: string; readonly limitPeriod?: number } & Lists

/** What is left out stays as it is; an empty text empties the list. */
type Lists = { readonly allowedOrigins?: string[]; readonly allowedRedirects?: string[] }

export function addApplicationCommands(program: Command, terminal: Terminal): void {
  const application = program.command('application').description('Client applications with their App-Keys and secrets.')

  application
    .command('create')
    .description('Create an application in both services, or complete one that is half made. The secret is shown once.')
    .argument('<app_key>', 'letters, digits, - and _')
    .requiredOption('--workspace <workspace_id>', 'workspace that the application belongs to')
    .requiredOption('--name <name>', 'name for people')
    .option('--limit-period <days>', "length of the users' limit period", wholeFrom(1))
    .option('--allowed-origins <origins...>', 'pages that are told when a user has connected an account; "" for any')
    .option('--allowed-redirects <urls...>', 'addresses that a user may be sent back to; "" for none')
    .action(async (appKey: string, asked: NewApplication, command: Command) => {
      await createApplication(terminal, command.optsWithGlobals<GlobalOptions>(), appKey, asked)
    })

  application
    .command('list')
    .description('List applications.')
    .option('--workspace <workspace_id>', 'only those of this workspace')
    .action(async ({ workspace }: { workspace?: string }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const answer = await send(functions, listApplications, { query: { workspace_id: workspace } })
      showList(terminal, options, answer, 'applications', [
        'app_key',
        'workspace_id',
        'name',
        'allowed_origins',
        'allowed_redirects',
        'created_at',
      ])
    })

  application
    .command('rotate-secret')
    .description('Make a new application secret; the one before stays valid for a while.')
    .argument('<app_key>')
    .option('--keep-previous-hours <hours>', 'how long the secret before stays valid', hours)
    .action(async (appKey: string, { keepPreviousHours }: { keepPreviousHours?: number }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const body = { keep_previous_hours: keepPreviousHours }
      showOne(terminal, options, await send(functions, rotateSecret, { params: { app_key: appKey }, body }))
      hint(terminal, 'Keep app_secret now: it is not shown again.')
    })
}

/**
 * Both requests may be repeated, so a second run completes what the first did not. Insights goes first: it knows whether there
 * is such a workspace, and the secret, given out once, comes when nothing can fail any more.
 */
async function createApplication(terminal: Terminal, options: GlobalOptions, appKey: string, asked: NewApplication): Promise<void> {
  const functions = await adminOf('functions', terminal, options)
  const insights = await adminOf('insights', terminal, options)
  const { workspace, name, limitPeriod, allowedOrigins, allowedRedirects } = asked
  const params = { app_key: appKey }
  const assigned = await send(insights, putInsightsApplication, { params, body: { workspace_id: workspace, limit_period: limitPeriod } })
  const lists = { allowed_origins: listed(allowedOrigins), allowed_redirects: listed(allowedRedirects) }
  const made = await send(functions, putApplication, { params, body: { workspace_id: workspace, name, ...lists } })
  showOne(terminal, options, { ...made, ...assigned })
  hint(terminal, made.created ? 'Keep app_secret now: it is not shown again.' : 'The application was there already and keeps its secret.')
}

function listed(urls: string[] | undefined): string[] | undefined {
  return urls?.filter((url) => url !== '')
}
