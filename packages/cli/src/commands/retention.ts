import { send } from '@onward/client'
import { runRetention } from '@onward/contract'
import type { Command } from 'commander'
import { showList } from '../output.ts'
import { adminOf } from '../settings.ts'
import type { GlobalOptions, Terminal } from '../terminal.ts'

export function addRetentionCommands(program: Command, terminal: Terminal): void {
  program
    .command('retention')
    .description('What is kept, and for how long.')
    .command('run')
    .description('Have both services make the partitions that are due and drop what is too old now. They do so by themselves every hour.')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const changes: { service: string; change: string; table: string; rows?: number }[] = []
      for (const service of ['functions', 'insights'] as const) {
        const { made, dropped, deleted } = await send(await adminOf(service, terminal, options), runRetention)
        changes.push(...made.map((table) => ({ service, change: 'made', table })))
        changes.push(...dropped.map((table) => ({ service, change: 'dropped', table })))
        changes.push(...deleted.filter(({ rows }) => rows > 0).map(({ table, rows }) => ({ service, change: 'deleted rows', table, rows })))
      }
      showList(terminal, options, { changes }, 'changes', ['service', 'change', 'table', 'rows'])
    })
}
