import { send } from '@onward/client'
import { listApplications, onLimit, putApplication, putInsightsApplication, rotateSecret } from '@onward/contract'
import { type Command, Option } from 'commander'
import { hours, wholeFrom } from '../arguments.ts'
import { findApplication } from '../find-application.ts'
import { hint, showList, showOne } from '../output.ts'
import { adminOf } from '../settings.ts'
import type { GlobalOptions, Terminal } from '../terminal.ts'
import { addPastPromptCommands } from './past-prompts.ts'

type OnLimit = (typeof onLimit.enum)[number]

type NewApplication = {
  readonly workspace: string
  readonly name: string
  readonly limitPeriod?: number
  readonly onLimit?: OnLimit
} & Lists

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
    .addOption(onLimitOption())
    .option('--allowed-origins <origins...>', 'pages that are told when a user has connected an account; "" for any')
    .option('--allowed-redirects <urls...>', 'addresses that a user may be sent back to; "" for none')
    .action(async (appKey: string, asked: NewApplication, command: Command) => {
      await createApplication(terminal, command.optsWithGlobals<GlobalOptions>(), appKey, asked)
    })

  application
    .command('limit')
    .description('Say what becomes of the calls of users who have used up their limit.')
    .argument('<app_key>')
    .addOption(onLimitOption().makeOptionMandatory())
    .action(async (appKey: string, { onLimit }: { onLimit: OnLimit }, command: Command) => {
      await setOnLimit(terminal, command.optsWithGlobals<GlobalOptions>(), appKey, onLimit)
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
        'learn_from_use',
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

  addPastPromptCommands(application, terminal)
}

/**
 * Both requests may be repeated, so a second run completes what the first did not. Insights goes first: it knows whether there
 * is such a workspace, and the secret, given out once, comes when nothing can fail any more.
 */
async function createApplication(terminal: Terminal, options: GlobalOptions, appKey: string, asked: NewApplication): Promise<void> {
  const functions = await adminOf('functions', terminal, options)
  const insights = await adminOf('insights', terminal, options)
  const { workspace, name, limitPeriod, onLimit, allowedOrigins, allowedRedirects } = asked
  const params = { app_key: appKey }
  const limits = { limit_period: limitPeriod, on_limit: onLimit }
  const assigned = await send(insights, putInsightsApplication, { params, body: { workspace_id: workspace, ...limits } })
  const lists = { allowed_origins: listed(allowedOrigins), allowed_redirects: listed(allowedRedirects) }
  const made = await send(functions, putApplication, { params, body: { workspace_id: workspace, name, ...lists } })
  showOne(terminal, options, { ...made, ...assigned })
  hint(terminal, made.created ? 'Keep app_secret now: it is not shown again.' : 'The application was there already and keeps its secret.')
}

function listed(urls: string[] | undefined): string[] | undefined {
  return urls?.filter((url) => url !== '')
}

function onLimitOption(): Option {
  return new Option('--on-limit <what>', 'whether users at their limit may call on').choices(onLimit.enum)
}

/** Insights wants to be told the workspace each time; functions knows it. */
async function setOnLimit(terminal: Terminal, options: GlobalOptions, appKey: string, onLimit: OnLimit): Promise<void> {
  const functions = await adminOf('functions', terminal, options)
  const insights = await adminOf('insights', terminal, options)
  const { workspace_id } = await findApplication(functions, appKey)
  const body = { workspace_id, on_limit: onLimit }
  showOne(terminal, options, await send(insights, putInsightsApplication, { params: { app_key: appKey }, body }))
}
