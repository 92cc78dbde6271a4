import {
  type ClientProfile,
  getWorkspace,
  listApplications,
  listConnectedAccounts,
  putApplication,
  putInsightsApplication,
  rotateSecret,
} from '@onward/contract'
import { send } from '@onward/contract-client'
import { type Command, Option } from 'commander'
import { adminOf, ownWorkspace } from '../admin.ts'
import { parseHours, wholeNumberParser } from '../arguments.ts'
import { bothServices, deleteInBoth } from '../delete-application.ts'
import { addExamples } from '../examples.ts'
import { confirmDeletion } from '../prompt.ts'
import { type GlobalOptions, hint, showList, showOne, type Terminal } from '../terminal.ts'
import { addApplicationMcpCommands } from './application-mcp.ts'
import {
  addApplicationSettings,
  clientProfileOption,
  hintAboutConfirming,
  ON_OFF,
  type OnLimit,
  onLimitOption,
} from './application-settings.ts'

type NewApplication = {
  readonly workspace: string
  readonly name: string
  readonly limitPeriod?: number
  readonly onLimit?: OnLimit
  readonly clientProfile?: ClientProfile
  readonly confirmAccounts?: 'on' | 'off'
} & UrlLists

/** A list that is omitted does not change. An empty text makes a list empty. */
type UrlLists = { readonly allowedOrigins?: string[]; readonly allowedRedirects?: string[] }

export function addApplicationCommands(application: Command, terminal: Terminal): void {
  application
    .command('create')
    .description('Create an application in both services, or in the service where it is missing. The secret is shown once.')
    .argument('<app_key>', 'letters, digits, - and _')
    .requiredOption('--workspace <workspace_id>', 'workspace that the application belongs to')
    .requiredOption('--name <name>', 'display name')
    .option('--limit-period <days>', 'length of the limit period in days', wholeNumberParser(1))
    .addOption(onLimitOption())
    .option('--allowed-origins <origins...>', 'origins of pages that may call the API, and are notified of new accounts; "" for none')
    .option('--allowed-redirects <urls...>', 'URLs that a user may be redirected to; "" for none')
    .addOption(clientProfileOption())
    .addOption(
      new Option(
        '--confirm-accounts <on|off>',
        'whether it must confirm each account that a user connects; default on, off for published clients',
      ).choices(ON_OFF),
    )
    .action(async (appKey: string, asked: NewApplication, command: Command) => {
      await createApplication(terminal, command.optsWithGlobals<GlobalOptions>(), appKey, asked)
    })

  application
    .command('list')
    .description('List applications.')
    .option('--workspace <workspace_id>', 'only applications of this workspace')
    .action(async (asked: { workspace?: string }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const workspace = asked.workspace ?? (await ownWorkspace(terminal, options))
      const response = await send(functions, listApplications, { query: { workspace_id: workspace } })
      showList(terminal, options, response, 'applications', [
        'app_key',
        'workspace_id',
        'name',
        'allowed_origins',
        'allowed_redirects',
        'learn_from_use',
        'share_learning',
        'use_model',
        'confirm_accounts',
        'client_profile',
        'created_at',
      ])
    })

  application
    .command('rotate-secret')
    .description('Create a new application secret. The previous one stays valid for a while.')
    .argument('<app_key>')
    .option('--keep-previous-hours <hours>', 'how long the previous secret stays valid', parseHours)
    .action(async (appKey: string, { keepPreviousHours }: { keepPreviousHours?: number }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const body = { keep_previous_hours: keepPreviousHours }
      showOne(terminal, options, await send(functions, rotateSecret, { params: { app_key: appKey }, body }))
      hint(terminal, 'Store app_secret now. It is not shown again.')
    })

  application
    .command('delete')
    .description(
      'Delete an application in both services, with the connected accounts of its users. Its App-Key cannot be used again. The calls log ' +
        'and the tasks stay until their retention ends.',
    )
    .argument('<app_key>')
    .option('--dry-run', 'only show what would be deleted')
    .option('--yes', 'do not ask')
    .action(async (appKey: string, { dryRun, yes = false }: { dryRun?: true; yes?: boolean }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const services = await bothServices(terminal, options)
      if (dryRun) {
        const { connected_accounts } = await send(services.functions, listConnectedAccounts, { params: { app_key: appKey }, query: {} })
        showOne(terminal, options, { app_key: appKey, connected_accounts: connected_accounts.length })
        return
      }
      await confirmDeletion(terminal, appKey, yes)
      showOne(terminal, options, { app_key: appKey, deleted: true, ...(await deleteInBoth(services, appKey)) })
    })

  addApplicationSettings(application, terminal)
  addApplicationMcpCommands(application, terminal)
  addExamples(application, [
    'onward application create acme-crm --workspace acme --name "Acme CRM" --on-limit block',
    'onward application set acme-crm --user-rate-limit 2400',
    'onward application mcp-sign-in acme-crm --hand-off-url https://acme.example/agents',
    'onward application delete acme-crm --dry-run',
    'onward application list --json',
  ])
}

/**
 * Both changes are idempotent, so a second run completes the first. Insights is asked first, because only it knows whether the workspace
 * exists. Functions comes next: insights requires its assignment. It returns the secret only once, so the secret is shown even if insights
 * then fails.
 */
async function createApplication(terminal: Terminal, options: GlobalOptions, appKey: string, asked: NewApplication): Promise<void> {
  const functions = await adminOf('functions', terminal, options)
  const insights = await adminOf('insights', terminal, options)
  const { workspace, name, limitPeriod, onLimit, allowedOrigins, allowedRedirects, clientProfile, confirmAccounts } = asked
  const params = { app_key: appKey }
  await send(insights, getWorkspace, { params: { workspace_id: workspace } })
  const lists = { allowed_origins: withoutEmpty(allowedOrigins), allowed_redirects: withoutEmpty(allowedRedirects) }
  const confirming = confirmAccounts === undefined ? {} : { confirm_accounts: confirmAccounts === 'on' }
  const settings = { ...lists, client_profile: clientProfile, ...confirming }
  const body = { workspace_id: workspace, name, ...settings }
  const { assignment, ...made } = await send(functions, putApplication, { params, body })
  const limits = { limit_period: limitPeriod, on_limit: onLimit, assignment }
  const assigning = send(insights, putInsightsApplication, { params, body: { workspace_id: workspace, ...limits } })
  const assigned = await assigning.catch((err: unknown) => {
    if (made.created) {
      showOne(terminal, options, made)
      hint(terminal, 'Store app_secret now. It is not shown again. Insights failed: repeat the command to complete the application.')
    }
    throw err
  })
  showOne(terminal, options, { ...made, ...assigned })
  hint(terminal, made.created ? 'Store app_secret now. It is not shown again.' : 'The application already existed and keeps its secret.')
  hintAboutConfirming(terminal, made.confirm_accounts, appKey, clientProfile)
}

function withoutEmpty(urls: string[] | undefined): string[] | undefined {
  return urls?.filter((url) => url !== '')
}
