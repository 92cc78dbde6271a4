import { Command } from 'commander'
import { addAccountCommands } from './commands/account.ts'
import { addApplicationCommands } from './commands/application.ts'
import { addCallsCommand } from './commands/calls.ts'
import { addCatalogCommands } from './commands/catalog.ts'
import { addRebuildUsageCommand, addResealCommand, addRetentionCommands } from './commands/maintenance.ts'
import { addOAuthClientCommands } from './commands/oauth-client.ts'
import { addQuarantineCommands } from './commands/quarantine.ts'
import { addReconcileCommand } from './commands/reconcile.ts'
import { addWorkspaceCommands } from './commands/workspace.ts'
import { report, type Terminal } from './terminal.ts'

/** Runs the `onward` command. Returns the exit code: 0 success, 1 failure, 2 wrong usage. Never throws. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('onward')
    .description(
      'Manage an Onward deployment through the admin APIs of its two services. The environment variable ONWARD_ADMIN_TOKEN has the token.',
    )
    .option('--functions-url <url>', 'admin API of functions (or ONWARD_FUNCTIONS_ADMIN_URL)')
    .option('--insights-url <url>', 'admin API of insights (or ONWARD_INSIGHTS_ADMIN_URL)')
    .option('--json', 'print JSON, for scripts')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) => write(withoutValue(text)),
    })
    .exitOverride()
  addWorkspaceCommands(program, terminal)
  addApplicationCommands(program, terminal)
  addAccountCommands(program, terminal)
  addCallsCommand(program, terminal)
  addCatalogCommands(program, terminal)
  addOAuthClientCommands(program, terminal)
  addQuarantineCommands(program, terminal)
  addReconcileCommand(program, terminal)
  addRebuildUsageCommand(program, terminal)
  addRetentionCommands(program, terminal)
  addResealCommand(program, terminal)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return 0
  } catch (err) {
    return report(terminal, err)
  }
}

/** Removes the value of an unknown option, which Commander would print: it may be a secret. */
function withoutValue(text: string): string {
  return text.replace(/(unknown option ')(--[^'=]*|-.).*'/s, "$1$2'")
}
