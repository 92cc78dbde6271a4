import { deleteOAuthClient, listOAuthClients, putOAuthClient } from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Command } from 'commander'
import { adminOf } from '../admin.ts'
import { readClientSecret } from '../credentials.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, showList, showOne, type Terminal } from '../terminal.ts'

export function addOAuthClientCommands(client: Command, terminal: Terminal): void {
  client
    .command('set')
    .description(
      'Store the OAuth client of an application for an app. The secret is read from standard input as client_secret=value. ' +
        'services/functions/REAL-APPS.md says how to get a client from the vendor.',
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
    .action(async (appKey: string, app: string, _asked: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      showOne(terminal, options, await send(functions, deleteOAuthClient, { params: { app_key: appKey, app } }))
    })
  addExamples(client, [
    'echo client_secret=5678 | onward oauth-client set acme-crm slack --client-id 123.456',
    'onward oauth-client list acme-crm --json',
  ])
}
