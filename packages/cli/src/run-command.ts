import { Command, Help, type Option } from 'commander'
import { COMMANDS } from './commands.ts'
import { COMPLETE, complete } from './complete.ts'
import { report, type Terminal } from './terminal.ts'
import { VERSION } from './version.ts'

/**
 * Runs the `onward` command and returns its exit code. 0: done. 1: failed. 2: wrong usage, or cancelled. 4: a credential is missing or was
 * refused. 5: the app refused a call. Never throws.
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const program = await makeProgram(terminal, (name) => args.includes(name))
    if (args[0] === COMPLETE) {
      terminal.stdout.write((await complete(program, terminal, args.slice(1))).map((word) => `${word}\n`).join(''))
      return 0
    }
    await program.parseAsync([...args], { from: 'user' })
    return 0
  } catch (err) {
    return report(terminal, err)
  }
}

/** Returns the command with all its subcommands. Those that `isAsked` refuses have only a name and a description. */
async function makeProgram(terminal: Terminal, isAsked: (name: string) => boolean): Promise<Command> {
  const program = new Command('onward')
    .description('Call functions through Onward, and manage a deployment.')
    .version(VERSION)
    .option('--functions-url <url>', 'admin API of functions (or ONWARD_FUNCTIONS_ADMIN_URL)')
    .option('--insights-url <url>', 'admin API of insights (or ONWARD_INSIGHTS_ADMIN_URL)')
    .option('--profile <name>', 'deployment that onward login has stored (or ONWARD_PROFILE)')
    .option('--json', 'print one JSON document, for scripts')
    .configureHelp({ showGlobalOptions: true, optionDescription: describeOption })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) => write(withoutValue(text)),
    })
    .showHelpAfterError('  add --help to see how to use the command')
    .exitOverride()
  for (const [heading, entries] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading)
    for (const [name, { description, load }] of Object.entries(entries)) {
      const command = program.command(name).description(description)
      if (isAsked(name)) (await load())(command, terminal)
    }
  }
  return program
}

function describeOption(option: Option): string {
  // Commander would show the empty start value of an option that may be repeated.
  const text = new Help().optionDescription(option).replace(' (default: [])', '')
  return option.mandatory ? `${text} (required)` : text
}

/** Removes the value of an unknown option, which Commander would print: it may be a secret. */
function withoutValue(text: string): string {
  return text.replace(/(unknown option ')(--[^'=]*|-.).*'/s, "$1$2'")
}
