import type { Command } from 'commander'
import { readConfig } from './profiles.ts'
import type { Terminal } from './terminal.ts'

/** The first argument of a request for completions. The scripts of `onward completion` send it. */
export const COMPLETE = '__complete'

/**
 * Returns what the last word on a command line can become: a subcommand, an option, one of the choices of an option or argument, or a
 * profile. `words` are the words after `onward` up to the cursor. Sends no request.
 */
export async function complete(program: Command, terminal: Terminal, words: readonly string[]): Promise<string[]> {
  const before = words.slice(0, -1)
  const path = [program]
  for (const word of before) {
    const next = path[0]?.commands.find((each) => each.name() === word)
    if (next !== undefined) path.unshift(next)
  }
  const options = path.flatMap((each) => each.options)
  const previous = before.at(-1) ?? ''
  const open = options.find((option) => option.required && [option.short, option.long].includes(previous))
  const last = words.at(-1) ?? ''
  const offered = () => {
    if (open !== undefined) return open.argChoices ?? []
    if (last.startsWith('-')) return options.flatMap(({ long }) => long ?? [])
    const [command = program] = path
    return [...command.commands.map((each) => each.name()), ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])]
  }
  const found = open?.long === '--profile' ? Object.keys((await readConfig(terminal)).profiles) : offered()
  return found.filter((word) => word.startsWith(last))
}
