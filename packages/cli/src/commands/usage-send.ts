import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { listWorkspaces, type ResponseOf, readMonthUsage } from '@onward/contract'
import { send } from '@onward/contract-client'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { adminOf, ownWorkspace } from '../admin.ts'
import { BILLING, type Receiver } from '../billing.ts'
import { type GlobalOptions, hint, printable, showOne, type Terminal, UsageError } from '../terminal.ts'
import { openUsageJournal, type UsageRecord } from '../usage-journal.ts'

type Options = GlobalOptions & {
  readonly to: keyof typeof BILLING
  readonly month: string
  readonly journal: string
  readonly eventName: string
  readonly customers?: string
  readonly customer?: string
  readonly workspace?: string
  readonly url?: string
}

type Customers = Readonly<Record<string, Readonly<Record<string, string>>>>

/** How many records are sent at a time. */
const AT_ONCE = 8
/** The User-ID of tasks of users who were deleted. */
const PSEUDONYM = /^deleted-[0-9a-f]{32}$/

export function addSend(usage: Command, terminal: Terminal): void {
  usage
    .command('send')
    .description('Send the tasks of all users in a month (UTC) to a billing system, each once. Needs a token.')
    .addOption(new Option('--to <system>', 'billing system').choices(Object.keys(BILLING)).makeOptionMandatory())
    .requiredOption('--month <month>', 'for example 2026-10', parseMonth)
    .requiredOption('--journal <file>', 'file that records what was sent; keep it, and use one for each billing system')
    .option('--event-name <name>', 'event name of the meter (Stripe), event type (OpenMeter) or code of the metric (Lago)', 'onward_tasks')
    .option('--customers <file>', 'JSON: {"app_key": {"user_id": "customer", "*": "customer of the other users"}}')
    .option('--customer <pattern>', 'customer of the users that are not in the file, such as {user_id} or {workspace_id}')
    .option('--workspace <workspace_id>', 'only this workspace')
    .option('--url <url>', 'base URL of the billing system, if it is not the public one')
    .action(async (_: unknown, command: Command) => await sendUsage(terminal, command.optsWithGlobals<Options>()))
}

/** Sends what the journal does not have yet. A count that has grown since the last run is sent as another record, for the difference. */
async function sendUsage(terminal: Terminal, options: Options): Promise<void> {
  const { to, month, customer: pattern } = options
  const receiver = await openReceiver(terminal, options)
  const customers = await readCustomers(terminal, options)
  const journal = await openUsageJournal(resolve(terminal.cwd, options.journal), to)
  const total = { sent: 0, tasks: 0, sent_before: 0, without_customer: 0, refused: 0, failed: 0, uncertain: 0 }
  const problem = (kind: keyof typeof total, { app_key, user_id, tasks }: UserTasks, why: string) => {
    total[kind] += 1
    hint(terminal, printable(`${kind.replace('_', ' ')}: ${app_key} ${user_id}, ${tasks} tasks: ${why}`))
  }

  async function sendRecord(user: UserTasks, record: UsageRecord, isRepeated: boolean): Promise<boolean> {
    const result = await receiver.send(record)
    if (result.kind === 'sent') {
      await journal.finish(record.id, 'sent')
      total.sent += 1
      total.tasks += record.until - record.from
      return true
    }
    // A refusal of a repeated record may mean that it arrived the first time.
    if (result.kind === 'refused' && isRepeated) problem('uncertain', user, `${result.why}; ${uncertainOf(record, options.journal)}`)
    else problem(result.kind, user, result.why)
    if (result.kind === 'refused' && !isRepeated) await journal.finish(record.id, 'refused')
    return false
  }

  async function sendUser(user: UserTasks): Promise<void> {
    const { pending, sent } = journal.stateOf({ month, ...user })
    let from = sent
    if (pending !== undefined) {
      // The last run did not learn whether this record arrived. The same id makes it count once, while the receiver remembers it.
      const age = terminal.now().getTime() - Date.parse(pending.begun)
      if (age > receiver.remembersMs)
        return problem('uncertain', user, `too long ago to repeat it; ${uncertainOf(pending, options.journal)}`)
      if (!(await sendRecord(user, pending, true))) return
      from = pending.until
    }
    if (user.tasks <= from) {
      if (pending === undefined) total.sent_before += 1
      return
    }
    const named = customers[user.app_key]?.[user.user_id]
    // Its tasks may have been sent under the User-ID that it had before.
    if (named === undefined && PSEUDONYM.test(user.user_id)) {
      return problem('without_customer', user, 'the user was deleted; if these tasks were not sent before, add this id to --customers')
    }
    const customer = named ?? customers[user.app_key]?.['*'] ?? fill(pattern, user)
    if (customer === undefined) return problem('without_customer', user, 'add the user to --customers, or give --customer')
    await sendRecord(user, await journal.begin({ month, ...user, customer, from, until: user.tasks }, terminal.now()), false)
  }

  try {
    for await (const users of usersOf(terminal, options)) {
      for (let i = 0; i < users.length; i += AT_ONCE) await Promise.all(users.slice(i, i + AT_ONCE).map(sendUser))
    }
  } finally {
    await journal.close()
    showOne(terminal, options, total)
  }
  const left = total.without_customer + total.refused + total.failed + total.uncertain
  if (left > 0) throw new Error(`the usage of ${left} users was not sent; correct what is named above, and run the command again`)
}

type UserTasks = { readonly workspace_id: string; readonly app_key: string; readonly user_id: string; readonly tasks: number }

async function* usersOf(terminal: Terminal, options: Options): AsyncGenerator<UserTasks[]> {
  const insights = await adminOf('insights', terminal, options)
  const only = options.workspace ?? (await ownWorkspace(terminal, options))
  const workspaces = only === undefined ? (await send(insights, listWorkspaces)).workspaces.map((each) => each.workspace_id) : [only]
  for (const workspace_id of workspaces) {
    let cursor: string | undefined
    do {
      const asked = { params: { workspace_id, month: options.month }, query: { _cursor: cursor } }
      const page: ResponseOf<typeof readMonthUsage> = await send(insights, readMonthUsage, asked)
      yield page.users.map((user) => ({ workspace_id, ...user }))
      cursor = page._cursor ?? undefined
    } while (cursor !== undefined)
  }
}

async function openReceiver({ env, cwd }: Terminal, { to, url, eventName }: Options): Promise<Receiver> {
  const { variable, open } = BILLING[to]
  const file = env[`${variable}_FILE`]
  const key = env[variable] ?? (file && (await readFile(resolve(cwd, file), 'utf8')).trim())
  if (!key) throw new UsageError(`set ${variable}, or ${variable}_FILE to the path of a file with it`)
  return open({ key, eventName, url })
}

async function readCustomers({ cwd }: Terminal, { customers, customer }: Options): Promise<Customers> {
  if (customers === undefined && customer === undefined) throw new UsageError('give --customers, --customer or both')
  if (customers === undefined) return {}
  const read: unknown = JSON.parse(await readFile(resolve(cwd, customers), 'utf8'))
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  const isValid = isObject(read) && Object.values(read as object).every((users) => isObject(users) && Object.values(users).every(isName))
  if (!isValid) throw new UsageError('--customers must hold {"app_key": {"user_id": "customer"}}')
  return read as Customers
}

const isName = (value: unknown) => typeof value === 'string' && value !== ''

function fill(pattern: string | undefined, user: UserTasks): string | undefined {
  return pattern?.replace(/\{(workspace_id|app_key|user_id)\}/g, (_, name: 'workspace_id' | 'app_key' | 'user_id') => user[name])
}

function uncertainOf({ id, begun }: UsageRecord, journal: string): string {
  return `${id} was sent at ${begun} without a response. If it did not arrive, remove its line from ${journal}`
}

function parseMonth(month: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new InvalidArgumentError('Use a month such as 2026-10.')
  return month
}
