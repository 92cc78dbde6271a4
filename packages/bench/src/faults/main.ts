import { fileURLToPath } from 'node:url'
import { runCommand, runDesk } from '../rig/desk.ts'
import { backlog } from './backlog.ts'
import { model } from './model/command.ts'
import { FAULTS, plan } from './plan.ts'
import { races } from './races/command.ts'
import { redisDown } from './redis-down.ts'
import { scaleOut, sigterm } from './under-load.ts'

/** `pnpm faults [command] [options]`: without a command, the plan of faults. */
const COMMANDS = { plan, 'redis-down': redisDown, backlog, sigterm, 'scale-out': scaleOut, model, races }
const args = process.argv.slice(2)

await runDesk('faults', fileURLToPath(new URL('../../../..', import.meta.url)), process.env, async (desk) => {
  if (args[0] === 'help') desk.say(`faults         ${FAULTS.map(({ name }) => name).join(', ')}`)
  return await runCommand(desk, COMMANDS, args, 'plan')
})
