import { send } from '@onward/client'
import { deleteImportedApp } from '@onward/contract'
import type { Command } from 'commander'
import { hint, printable, showOne } from '../output.ts'
import { adminOf } from '../settings.ts'
import type { GlobalOptions, Terminal } from '../terminal.ts'

export function addCatalogRemove(catalog: Command, terminal: Terminal): void {
  catalog
    .command('remove')
    .description('Remove an imported app. Accounts that were connected stay, and can be used again when it is imported again.')
    .argument('<name>', 'name of the app, as catalog list shows it')
    .action(async (name: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      showOne(terminal, options, await send(functions, deleteImportedApp, { params: { name } }))
      hint(terminal, `The functions of ${printable(name)} can not be called any more.`)
    })
}
