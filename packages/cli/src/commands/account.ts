import { connectAccount, disconnectAccount, listConnectedAccounts } from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Command } from 'commander'
import { adminOf } from '../admin.ts'
import { parseUserId } from '../arguments.ts'
import { readCredentials } from '../credentials.ts'
import { addExamples } from '../examples.ts'
import { confirmOnTerminal } from '../prompt.ts'
import { type GlobalOptions, hint, printable, showList, showOne, type Terminal } from '../terminal.ts'

export function addAccountCommands(account: Command, terminal: Terminal): void {
  account
    .command('connect')
    .description(
      'Test the credentials of a user for an app and store them. They are read from standard input: a JSON object, or field=value lines. ' +
        'The fields depend on the app: a field that it does not have is refused, with the names of those that it needs.',
    )
    .argument('<app_key>')
    .requiredOption('--user <user_id>', 'User-ID of the user', parseUserId)
    .requiredOption('--app <app>', 'name of the app')
    .option('--name <name>', 'display name of the account; the default is the name that the app returns')
    .option('--no-test', 'store the credentials without calling the app with them first')
    .action(async (appKey: string, asked: { user: string; app: string; name?: string; test: boolean }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      if (terminal.stdin.isTTY) {
        const app = printable(asked.app)
        hint(terminal, `Type the credentials of ${app} as field=value lines or a JSON object (they show as you type), then press Ctrl-D.`)
      }
      const credentials = await readCredentials(terminal)
      const body = { user_id: asked.user, app: asked.app, display_name: asked.name, credentials, test: asked.test }
      showOne(terminal, options, await send(functions, connectAccount, { params: { app_key: appKey }, body }))
    })

  account
    .command('list')
    .description('List the connected accounts of an application.')
    .argument('<app_key>')
    .option('--user <user_id>', 'only accounts of this user', parseUserId)
    .option('--app <app>', 'only accounts of this app')
    .action(async (appKey: string, { user, app }: { user?: string; app?: string }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const response = await send(functions, listConnectedAccounts, { params: { app_key: appKey }, query: { user_id: user, app } })
      showList(terminal, options, response, 'connected_accounts', [
        'id',
        'user_id',
        'app',
        'display_name',
        'status',
        'last_error',
        'modified_at',
      ])
    })

  account
    .command('disconnect')
    .description('Disconnect an account and delete its credentials.')
    .argument('<app_key>')
    .argument('<id>', 'id of the account from "account list"')
    .option('--yes', 'do not ask')
    .action(async (appKey: string, id: string, { yes }: { yes?: true }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      await confirmOnTerminal(terminal, id, yes)
      showOne(terminal, options, await send(functions, disconnectAccount, { params: { app_key: appKey, id } }))
    })
  addExamples(account, [
    'echo token=xoxb-1234 | onward account connect acme-crm --user ann@example.com --app slack',
    'echo fields= | onward account connect acme-crm --user ann@example.com --app stripe   # prints the names of the fields',
    'onward account list acme-crm --json',
  ])
}
