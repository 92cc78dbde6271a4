import { type Command, readGiven } from '../rig/command-line.ts'
import { call } from './call.ts'
import { catalog } from './catalog.ts'
import { growth } from './growth.ts'
import { list } from './list.ts'
import { memory } from './memory.ts'
import { metering } from './metering.ts'
import { predict } from './predict.ts'
import { processes } from './processes.ts'
import { start } from './start.ts'
import { visible } from './visible.ts'
import { webhookSpeed } from './webhook-speed.ts'

/** The commands that measure a goal, in the order of the goals, with their options. */
const COMMANDS: readonly (readonly [name: string, command: Command, ...args: string[]])[] = [
  ['call', call],
  ['processes', processes, '--rounds', '3'],
  ['metering', metering, '--rounds', '3'],
  ['visible', visible],
  ['webhook-speed', webhookSpeed],
  ['list', list],
  ['predict', predict],
  ['catalog', catalog, '--rounds', '3'],
  ['memory', memory, '--calls', '100000'],
  ['growth', growth, '--rows', '2000000', '--users', '200000', '--rounds', '3', '--seconds', '4'],
  ['start', start, '--rounds', '3'],
]

export const all: Command = {
  summary: 'all commands that measure a goal of speed, then one table of all goals',
  options: {},
  async run(tools) {
    const failed: string[] = []
    for (const [name, command, ...args] of COMMANDS) {
      tools.say(`\n${[name, ...args].join(' ')}`)
      await command.run(tools, readGiven(command.options, args)).catch((err: Error) => {
        tools.say(err.stack ?? err.message)
        failed.push(name)
      })
    }
    tools.say('')
    if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`)
  },
}
