import { deleteOAuthClient, listOAuthClients, putOAuthClient, type ResponseOf, readCatalogApp } from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Command } from 'commander'
import { adminOf } from '../admin.ts'
import { readClientSecret } from '../credentials.ts'
import { addExamples } from '../examples.ts'
import { confirmOnTerminal } from '../prompt.ts'
import { type GlobalOptions, hint, printable, showList, showOne, type Terminal, UsageError } from '../terminal.ts'

export function addOAuthClientCommands(client: Command, terminal: Terminal): void {
  client
    .command('set')
    .description(
      'Store the OAuth client of an application for an app. The secret is read from standard input as client_secret=value. ' +
        '"onward oauth-client steps" says how to get a client from the vendor.',
    )
    .argument('<app_key>')
    .argument('<app>', 'name of the app')
    .requiredOption('--client-id <client_id>', 'client id that the provider shows')
    .option('--scopes <scopes...>', 'scopes to request from users; "" for the scopes of the app file')
    .action(async (appKey: string, app: string, { clientId, scopes }: { clientId: string; scopes?: string[] }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const client_secret = await readClientSecret(terminal, app)
      const named = scopes?.filter((scope) => scope !== '')
      const body = { client_id: clientId, client_secret, ...(named && { scopes: named.length > 0 ? named : null }) }
      showOne(terminal, options, await send(functions, putOAuthClient, { params: { app_key: appKey, app }, body }))
      if (named === undefined || named.length === 0) return
      const found = await send(functions, readCatalogApp, { params: { app }, query: { app_key: appKey } })
      const without = found.functions.filter(({ allowed }) => allowed === false).map(({ name }) => name)
      if (without.length > 0) hint(terminal, `${found.title} refuses these functions with the scopes of the client: ${without.join(', ')}`)
    })

  client
    .command('steps')
    .description(
      'Show how to get an OAuth client from the vendor: the page, the steps, and the redirect URL and the scopes to enter there.',
    )
    .argument('<app_key>')
    .argument('<app>', 'name of the app')
    .option('--functions <functions...>', 'the functions that users need; shows only their scopes')
    .action(async (appKey: string, app: string, { functions: needed }: { functions?: string[] }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const found = await send(functions, readCatalogApp, { params: { app }, query: { app_key: appKey } })
      const { title, redirect_url, client_help } = found
      if (redirect_url === null) throw new Error(`users of ${title} do not sign in with OAuth, so it needs no client`)
      const scopes = needed === undefined ? found.scopes.filter(({ asked }) => asked).map(({ name }) => name) : scopesFor(found, needed)
      const steps = client_help?.steps ?? []
      if (options.json) return showOne(terminal, options, { page: client_help?.url ?? null, redirect_url, scopes, steps })
      showOne(terminal, options, { page: client_help?.url ?? null, redirect_url, scopes: scopes.join(' ') })
      for (const [at, step] of steps.entries()) terminal.stdout.write(`${printable(`${at + 1}. ${step}`)}\n`)
      if (redirect_url.startsWith('http:')) {
        hint(terminal, 'Many apps refuse a redirect URL without https: set PUBLIC_URL to an https address, as REAL-APPS.md describes.')
      }
    })

  client
    .command('list')
    .description('List the OAuth clients of an application, without their secrets.')
    .argument('<app_key>')
    .action(async (appKey: string, _asked: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const response = await send(functions, listOAuthClients, { params: { app_key: appKey } })
      showList(terminal, options, response, 'oauth_clients', ['app', 'client_id', 'scopes', 'modified_at'])
    })

  client
    .command('remove')
    .description('Delete an OAuth client. Accounts of the app can then no longer be connected or renewed with it.')
    .argument('<app_key>')
    .argument('<app>', 'name of the app')
    .option('--yes', 'do not ask')
    .action(async (appKey: string, app: string, { yes }: { yes?: true }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      await confirmOnTerminal(terminal, app, yes)
      showOne(terminal, options, await send(functions, deleteOAuthClient, { params: { app_key: appKey, app } }))
    })
  addExamples(client, [
    'onward oauth-client steps acme-crm slack',
    'onward oauth-client steps acme-crm slack --functions slack-post-message',
    'echo client_secret=5678 | onward oauth-client set acme-crm slack --client-id 123.456',
    'onward oauth-client list acme-crm --json',
  ])
}

/** Returns the least powerful scopes of some functions, and those that belong to no function, such as the one for renewing tokens. */
function scopesFor({ title, functions, scopes }: ResponseOf<typeof readCatalogApp>, names: readonly string[]): string[] {
  const wanted = names.map((name) => {
    const found = functions.find((each) => each.name === name)
    if (found === undefined) throw new UsageError(`${title} has no function ${name}`)
    if (found.scopes.length === 0) throw new UsageError(`the app file does not say which scopes ${name} needs`)
    return found.scopes
  })
  const named = new Set(functions.flatMap((each) => each.scopes.flat()))
  const shared = scopes.map(({ name }) => name).filter((name) => !named.has(name))
  return [...new Set([...shared, ...wanted.flatMap(([least = []]) => least)])]
}
