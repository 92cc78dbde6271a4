import type { ConnectedAccount, OnwardUser } from '@onward/client'
import type { Command } from 'commander'
import { parseUserId, wholeNumberParser } from '../arguments.ts'
import { userOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, hint, printable, showList, showOne, type Terminal } from '../terminal.ts'

type Filters = GlobalOptions & { readonly user?: string; readonly search?: string; readonly connectedOnly?: true; readonly limit: number }

/** A login link is valid for this time. */
const MAX_WAIT_MS = 30 * 60_000
const POLL_MS = 2_000

export function addAppsCommands(apps: Command, terminal: Terminal): void {
  apps
    .command('list')
    .description('List apps in the order of their names.')
    .option('--user <user_id>', 'User-ID of the user', parseUserId)
    .option('--search <text>', 'only apps whose name, title or description contains this text')
    .option('--connected-only', 'only apps that the user has connected')
    .option('--limit <n>', 'maximum number of apps', wholeNumberParser(1), 100)
    .action(async (_: unknown, command: Command) => {
      const asked = command.optsWithGlobals<Filters>()
      const { search, connectedOnly, limit } = asked
      const user = await userOf(terminal, asked)
      const found = await user.apps.list({ search, connectedOnly }).toArray({ limit })
      showList(terminal, asked, { apps: found }, 'apps', ['name', 'title', 'docs_url'])
    })

  apps
    .command('get')
    .description("Show the user's accounts of an app.")
    .argument('<app>', 'name of the app')
    .option('--user <user_id>', 'User-ID of the user', parseUserId)
    .action(async (name: string, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<GlobalOptions & { user?: string }>()
      const user = await userOf(terminal, asked)
      const app = await user.apps.get(name)
      const none = `the user has no account of ${app.title}; "onward apps connect ${name}" prints a link to connect one`
      showList(terminal, asked, app, 'connected_accounts', ['id', 'display_name', 'status', 'last_error', 'modified_at'], printable(none))
    })

  apps
    .command('connect')
    .description('Print a link on which the user connects an account. It is valid for 30 minutes.')
    .argument('<app>', 'name of the app')
    .option('--user <user_id>', 'User-ID of the user', parseUserId)
    .option('--wait', 'wait until the account is connected, and confirmed if the application confirms accounts; print it')
    .action(async (name: string, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<GlobalOptions & { user?: string; wait?: true }>()
      const user = await userOf(terminal, asked)
      const { login_url, connected_accounts } = await user.apps.get(name)
      if (!asked.wait) {
        showOne(terminal, asked, { app: name, login_url })
        return
      }
      hint(terminal, `Open this link in a browser: ${login_url}`)
      showOne(terminal, asked, { app: name, ...(await connectedAfter(user, name, connected_accounts)) })
    })
  addExamples(apps, [
    'onward apps list --connected-only --user joe@example.com',
    'onward apps get slack --user joe@example.com',
    'onward apps connect slack --user joe@example.com --wait',
  ])
}

/** Waits for an active account that is new, or was connected again. */
async function connectedAfter(user: OnwardUser, app: string, before: readonly ConnectedAccount[]): Promise<ConnectedAccount> {
  const known = new Set(before.filter(({ status }) => status === 'active').map(({ id, modified_at }) => `${id} ${modified_at}`))
  const endAt = Date.now() + MAX_WAIT_MS
  while (Date.now() < endAt) {
    const { connected_accounts } = await user.apps.get(app)
    const connected = connected_accounts.find(({ id, modified_at, status }) => status === 'active' && !known.has(`${id} ${modified_at}`))
    if (connected !== undefined) return connected
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error('no account was connected within 30 minutes')
}
