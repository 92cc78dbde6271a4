import {
  type Answer,
  type ClientProfile,
  clearPastPrompts,
  clientProfile,
  getPolicy,
  getWorkspace,
  listApplications,
  listConnectedAccounts,
  onLimit,
  type PolicyRule,
  putApplication,
  putInsightsApplication,
  putPolicy,
  type RateLimitName,
  rotateSecret,
  testPolicy,
} from '@onward/contract'
import { send, type Target } from '@onward/contract-client'
import { Argument, type Command, Option } from 'commander'
import { adminOf, ownWorkspace } from '../admin.ts'
import { parseHours, readObject, wholeNumberParser } from '../arguments.ts'
import { bothServices, deleteInBoth } from '../delete-application.ts'
import { addExamples } from '../examples.ts'
import { confirmDeletion } from '../prompt.ts'
import { type GlobalOptions, hint, showJson, showList, showOne, type Terminal, UsageError } from '../terminal.ts'
import { addApplicationMcpCommands } from './application-mcp.ts'

type OnLimit = (typeof onLimit.enum)[number]

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

const ON_OFF = ['on', 'off'] as const

const RATE_LIMITS: Readonly<Record<RateLimitName, string>> = {
  rate_limit: 'requests of all its users together; default 60000',
  user_rate_limit: 'requests of each user; default 1200',
  predict_rate_limit: 'predictions for all its users together; default 6000',
  user_predict_rate_limit: 'predictions for each user; default 120',
}

/** The option of each rate limit, such as `--rate-limit` of `rate_limit`. */
const rateLimitOptions = Object.entries(RATE_LIMITS).map(([name, text]) => {
  const option = new Option(`--${name.replaceAll('_', '-')} <requests>`, text).argParser(wholeNumberParser(1))
  return [name as RateLimitName, option] as const
})

export function addApplicationCommands(application: Command, terminal: Terminal): void {
  application
    .command('create')
    .description('Create an application in both services, or complete one that exists in one of them. The secret is shown once.')
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
    .command('limit')
    .description('Set whether users who have reached their limit can still call functions.')
    .argument('<app_key>')
    .addOption(onLimitOption().makeOptionMandatory())
    .action(async (appKey: string, { onLimit }: { onLimit: OnLimit }, command: Command) => {
      await setOnLimit(terminal, command.optsWithGlobals<GlobalOptions>(), appKey, onLimit)
    })

  const set = application
    .command('set')
    .description('Change the rate limits (requests a minute; predictions are counted separately) or the client profile of an application.')
    .argument('<app_key>')
    .action(async (appKey: string, asked: ApplicationSettings, command: Command) => {
      await setApplication(terminal, command.optsWithGlobals<GlobalOptions>(), appKey, asked)
    })
  for (const [, option] of rateLimitOptions) set.addOption(option)
  set.addOption(clientProfileOption())

  application
    .command('list')
    .description('List applications.')
    .option('--workspace <workspace_id>', 'only applications of this workspace')
    .action(async (asked: { workspace?: string }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const workspace = asked.workspace ?? (await ownWorkspace(terminal, options))
      const answer = await send(functions, listApplications, { query: { workspace_id: workspace } })
      showList(terminal, options, answer, 'applications', [
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
    .command('confirm-accounts')
    .description('Set whether the application must confirm each account that a user connects, before it can be used.')
    .argument('<app_key>')
    .addArgument(new Argument('<on|off>').choices(ON_OFF))
    .action(async (appKey: string, choice: 'on' | 'off', _asked: object, command: Command) => {
      await changeApplication(terminal, command.optsWithGlobals<GlobalOptions>(), appKey, { confirm_accounts: choice === 'on' })
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

  addPastPromptCommands(application, terminal)
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

function onLimitOption(): Option {
  return new Option('--on-limit <what>', 'whether calls of users who have reached their limit are allowed or blocked').choices(onLimit.enum)
}

function clientProfileOption(): Option {
  return new Option('--client-profile <profile>', 'published for clients that need the published API exactly').choices(clientProfile.enum)
}

/** Insights requires the workspace in each request, so it is read from functions first. */
async function setOnLimit(terminal: Terminal, options: GlobalOptions, appKey: string, onLimit: OnLimit): Promise<void> {
  const functions = await adminOf('functions', terminal, options)
  const insights = await adminOf('insights', terminal, options)
  const { workspace_id } = await findApplication(functions, appKey, await ownWorkspace(terminal, options))
  const body = { workspace_id, on_limit: onLimit }
  showOne(terminal, options, await send(insights, putInsightsApplication, { params: { app_key: appKey }, body }))
}

/** Options of `application set`, by their names in commander. */
type ApplicationSettings = Readonly<Record<string, number | string>>

/** The request must contain the workspace and the name, so they are read first. */
async function setApplication(terminal: Terminal, options: GlobalOptions, appKey: string, asked: ApplicationSettings): Promise<void> {
  const rates = Object.fromEntries(rateLimitOptions.map(([limit, option]) => [limit, asked[option.attributeName()] as number | undefined]))
  const change = { ...rates, client_profile: asked.clientProfile as ClientProfile | undefined }
  if (Object.values(change).every((value) => value === undefined)) throw new UsageError('give at least one option')
  const functions = await adminOf('functions', terminal, options)
  const workspace = await ownWorkspace(terminal, options)
  const { workspace_id, name } = await findApplication(functions, appKey, workspace)
  await send(functions, putApplication, { params: { app_key: appKey }, body: { workspace_id, name, ...change } })
  const changed = await findApplication(functions, appKey, workspace)
  showOne(terminal, options, {
    app_key: appKey,
    ...Object.fromEntries(rateLimitOptions.map(([limit]) => [limit, changed[limit]])),
    client_profile: changed.client_profile,
    confirm_accounts: changed.confirm_accounts,
  })
  if (change.client_profile !== undefined) hintAboutConfirming(terminal, changed.confirm_accounts, appKey, changed.client_profile)
}

/** Says what clients have to do before accounts can be used, or that they cannot do it. */
function hintAboutConfirming(terminal: Terminal, confirms: boolean, appKey: string, profile: ClientProfile | undefined): void {
  if (!confirms) return
  if (profile === 'published') {
    hint(terminal, `Published clients cannot confirm accounts: onward application confirm-accounts ${appKey} off lets users connect them.`)
  } else {
    hint(terminal, 'Your server must confirm each account that a user connects: see "Confirming accounts" in services/functions/README.md.')
  }
}

/** Commands of `application`. */
function addPastPromptCommands(application: Command, terminal: Terminal): void {
  application
    .command('policy')
    .description(
      'Show the rules for calls, or replace them with those of a file: {"rules": [{"apps": ["gmail"], "result": "deny"}]}. With --test, ' +
        'show what they would have said about the last 1,000 calls; nothing changes.',
    )
    .argument('<app_key>')
    .option('--input <file>', 'JSON file with the rules; - for standard input')
    .option('--test', 'apply the rules to the last calls instead of storing them')
    .action(async (appKey: string, { input, test }: { input?: string; test?: true }, command: Command) => {
      const functions = await adminOf('functions', terminal, command.optsWithGlobals<GlobalOptions>())
      const params = { app_key: appKey }
      const given = input === undefined ? undefined : ((await readObject(terminal, input)) as { rules: PolicyRule[] })
      const body = given ?? (await send(functions, getPolicy, { params }))
      if (test) showJson(terminal, await send(functions, testPolicy, { params, body }))
      else showJson(terminal, given === undefined ? body : await send(functions, putPolicy, { params, body }))
    })

  application
    .command('learn-from-use')
    .description('Set whether prompts are stored when their predicted function is called. "off" also deletes the stored prompts.')
    .argument('<app_key>')
    .addArgument(new Argument('<on|off>').choices(ON_OFF))
    .action(async (appKey: string, choice: 'on' | 'off', _asked: object, command: Command) => {
      await changeApplication(terminal, command.optsWithGlobals<GlobalOptions>(), appKey, { learn_from_use: choice === 'on' })
    })

  application
    .command('share-learning')
    .description('Set whether prompts on which several users agree count for all users. A change deletes the prompts that are shared.')
    .argument('<app_key>')
    .addArgument(new Argument('<on|off>').choices(ON_OFF))
    .action(async (appKey: string, choice: 'on' | 'off', _asked: object, command: Command) => {
      await changeApplication(terminal, command.optsWithGlobals<GlobalOptions>(), appKey, { share_learning: choice === 'on' })
    })

  application
    .command('use-model')
    .description(
      'Set whether predictions may use the model server, if one is configured. With "off", it gets no prompt of the application.',
    )
    .argument('<app_key>')
    .addArgument(new Argument('<on|off>').choices(ON_OFF))
    .action(async (appKey: string, choice: 'on' | 'off', _asked: object, command: Command) => {
      await changeApplication(terminal, command.optsWithGlobals<GlobalOptions>(), appKey, { use_model: choice === 'on' })
    })

  application
    .command('clear-past-prompts')
    .description('Delete the prompts that were stored because their predicted function was called.')
    .argument('<app_key>')
    .action(async (appKey: string, _asked: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      showOne(terminal, options, await send(functions, clearPastPrompts, { params: { app_key: appKey } }))
    })
}

/** The request must contain the workspace and the name, so they are read first. */
async function changeApplication(
  terminal: Terminal,
  options: GlobalOptions,
  appKey: string,
  change: { readonly [Name in 'learn_from_use' | 'share_learning' | 'use_model' | 'confirm_accounts']?: boolean },
): Promise<void> {
  const functions = await adminOf('functions', terminal, options)
  const { workspace_id, name } = await findApplication(functions, appKey, await ownWorkspace(terminal, options))
  await send(functions, putApplication, { params: { app_key: appKey }, body: { workspace_id, name, ...change } })
  showOne(terminal, options, { app_key: appKey, ...change })
}

type Application = Answer<typeof listApplications>['applications'][number]

/** Returns an application as functions stores it, if it is in the workspace. Throws if it does not exist. */
async function findApplication(functions: Target, appKey: string, workspace: string | undefined): Promise<Application> {
  const { applications } = await send(functions, listApplications, { query: { workspace_id: workspace } })
  const found = applications.find((each) => each.app_key === appKey)
  if (found === undefined) throw new Error(`the application ${appKey} does not exist`)
  return found
}
