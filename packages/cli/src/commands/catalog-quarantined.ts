import { send } from '@onward/client'
import { listQuarantined } from '@onward/contract'
import type { Command } from 'commander'
import { showList } from '../output.ts'
import { adminOf } from '../settings.ts'
import type { GlobalOptions, Terminal } from '../terminal.ts'

export function addCatalogQuarantined(catalog: Command, terminal: Terminal): void {
  catalog
    .command('quarantined')
    .description('List the functions and whole apps that the running service leaves out, and why.')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const answer = await send(await adminOf('functions', terminal, options), listQuarantined)
      const quarantined = answer.quarantined.map((each) => ({ ...each, problems: options.json ? each.problems : each.problems.join('; ') }))
      showList(terminal, options, { quarantined }, 'quarantined', ['app', 'function', 'problems'])
    })
}
