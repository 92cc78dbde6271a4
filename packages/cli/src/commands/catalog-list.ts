import { send } from '@onward/client'
import { listImportedApps } from '@onward/contract'
import type { Command } from 'commander'
import { showList } from '../output.ts'
import { adminOf } from '../settings.ts'
import type { GlobalOptions, Terminal } from '../terminal.ts'

export function addCatalogList(catalog: Command, terminal: Terminal): void {
  catalog
    .command('list')
    .description('List imported apps.')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const answer = await send(await adminOf('functions', terminal, options), listImportedApps)
      showList(terminal, options, answer, 'apps', ['name', 'title', 'functions', 'modified_at'])
    })
}
