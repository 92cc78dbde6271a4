import { createMcpClient, deleteMcpClient, listMcpClients, type McpAuthMethod, mcpAuthMethods } from '@onward/contract'
import { send } from '@onward/contract-client'
import { type Command, Option } from 'commander'
import { adminOf } from '../admin.ts'
import { confirmOnTerminal } from '../prompt.ts'
import { type GlobalOptions, hint, showList, showOne, type Terminal } from '../terminal.ts'

type NewClient = { readonly name: string; readonly redirectUris: string[]; readonly authMethod?: McpAuthMethod }

/** Commands of `application mcp-client`: the OAuth clients of MCP hosts that ask for a client id. */
export function addMcpClientCommands(client: Command, terminal: Terminal): void {
  client
    .command('add')
    .description('Make a client for a host that asks for a client id, and perhaps a secret. The secret is shown once.')
    .argument('<app_key>')
    .requiredOption('--name <name>', 'name of the program, which users see')
    .requiredOption('--redirect-uris <uris...>', 'addresses to which the host lets browsers return')
    .addOption(new Option('--auth-method <method>', 'how the host sends the secret; default client_secret_post').choices(mcpAuthMethods))
    .action(async (appKey: string, { name, redirectUris, authMethod }: NewClient, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const body = { name, redirect_uris: redirectUris, ...(authMethod && { auth_method: authMethod }) }
      const made = await send(functions, createMcpClient, { params: { app_key: appKey }, body })
      showOne(terminal, options, made)
      if (made.client_secret !== null) hint(terminal, 'enter both in the host; the secret is not shown again')
    })

  client
    .command('list')
    .description('List the clients that were made by hand, without their secrets.')
    .argument('<app_key>')
    .action(async (appKey: string, _asked: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const response = await send(functions, listMcpClients, { params: { app_key: appKey } })
      showList(terminal, options, response, 'mcp_clients', ['client_id', 'name', 'redirect_uris', 'auth_method', 'created_at'])
    })

  client
    .command('remove')
    .description('Delete a client, with the access that users gave to it.')
    .argument('<app_key>')
    .argument('<client_id>', 'client_id from "application mcp-client list"')
    .option('--yes', 'do not ask')
    .action(async (appKey: string, client_id: string, { yes }: { yes?: true }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      await confirmOnTerminal(terminal, client_id, yes)
      showOne(terminal, options, await send(functions, deleteMcpClient, { params: { app_key: appKey, client_id } }))
    })
}
