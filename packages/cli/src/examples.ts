import type { Command } from 'commander'

/** Adds examples to the help of a command. Each is one line for a shell. */
export function addExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`)
}
