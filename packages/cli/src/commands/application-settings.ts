import {
  type ClientProfile,
  clearPastPrompts,
  clientProfile,
  getPolicy,
  listApplications,
  onLimit,
  type PolicyRule,
  putApplication,
  putInsightsApplication,
  putPolicy,
  type RateLimitName,
  type ResponseOf,
  testPolicy,
} from '@onward/contract'
import { send, type Target } from '@onward/contract-client'
import { Argument, type Command, Option } from 'commander'
import { adminOf, ownWorkspace } from '../admin.ts'
import { readObject, wholeNumberParser } from '../arguments.ts'
import { type GlobalOptions, hint, showJson, showOne, type Terminal, UsageError } from '../terminal.ts'

export type OnLimit = (typeof onLimit.enum)[number]

export const ON_OFF = ['on', 'off'] as const

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

/** Settings that are on or off, by the names of their commands. */
const SWITCHES = {
  'confirm-accounts': [
    'confirm_accounts',
    'Set whether the application must confirm each account that a user connects, before it can be used.',
  ],
  'learn-from-use': [
    'learn_from_use',
    'Set whether prompts are stored when their predicted function is called. "off" also deletes the stored prompts.',
  ],
  'share-learning': [
    'share_learning',
    'Set whether prompts on which several users agree count for all users. A change deletes the prompts that are shared.',
  ],
  'use-model': [
    'use_model',
    'Set whether predictions may use the model server, if one is configured. With "off", it gets no prompt of the application.',
  ],
} as const

/** Commands of `application` that change one setting. */
export function addApplicationSettings(application: Command, terminal: Terminal): void {
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

  for (const [name, [setting, description]] of Object.entries(SWITCHES)) {
    application
      .command(name)
      .description(description)
      .argument('<app_key>')
      .addArgument(new Argument('<on|off>').choices(ON_OFF))
      .action(async (appKey: string, choice: 'on' | 'off', _asked: object, command: Command) => {
        await turn(terminal, command.optsWithGlobals<GlobalOptions>(), appKey, { [setting]: choice === 'on' })
      })
  }

  application
    .command('policy')
    .description(
      'Show the rules for calls, or replace them with the rules in a file: {"rules": [{"apps": ["gmail"], "result": "deny"}]}. ' +
        'With --test, show what they would have said about the last 1,000 calls; nothing changes.',
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
    .command('clear-past-prompts')
    .description('Delete the prompts that were stored because their predicted function was called.')
    .argument('<app_key>')
    .action(async (appKey: string, _asked: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      showOne(terminal, options, await send(functions, clearPastPrompts, { params: { app_key: appKey } }))
    })
}

export function onLimitOption(): Option {
  return new Option('--on-limit <what>', 'whether calls of users who have reached their limit are allowed or blocked').choices(onLimit.enum)
}

export function clientProfileOption(): Option {
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
export function hintAboutConfirming(terminal: Terminal, confirms: boolean, appKey: string, profile: ClientProfile | undefined): void {
  if (!confirms) return
  if (profile === 'published') {
    hint(terminal, `Published clients cannot confirm accounts: onward application confirm-accounts ${appKey} off lets users connect them.`)
  } else {
    hint(terminal, 'Your server must confirm each account that a user connects: see "Confirming accounts" in services/functions/README.md.')
  }
}

/** The request must contain the workspace and the name, so they are read first. */
async function turn(
  terminal: Terminal,
  options: GlobalOptions,
  appKey: string,
  change: { readonly [Name in (typeof SWITCHES)[keyof typeof SWITCHES][0]]?: boolean },
): Promise<void> {
  const functions = await adminOf('functions', terminal, options)
  const { workspace_id, name } = await findApplication(functions, appKey, await ownWorkspace(terminal, options))
  await send(functions, putApplication, { params: { app_key: appKey }, body: { workspace_id, name, ...change } })
  showOne(terminal, options, { app_key: appKey, ...change })
}

type Application = ResponseOf<typeof listApplications>['applications'][number]

/** Returns an application as functions stores it, if it is in the workspace. Throws if it does not exist. */
async function findApplication(functions: Target, appKey: string, workspace: string | undefined): Promise<Application> {
  const { applications } = await send(functions, listApplications, { query: { workspace_id: workspace } })
  const found = applications.find((each) => each.app_key === appKey)
  if (found === undefined) throw new Error(`the application ${appKey} does not exist`)
  return found
}
