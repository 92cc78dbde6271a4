import { fileURLToPath } from 'node:url'
import { fuzzing } from '../fuzz/command.ts'
import { runCommand, runProgram } from '../rig/command-line.ts'
import { backlog } from './backlog.ts'
import { failover } from './failover.ts'
import { hanging } from './hanging.ts'
import { lateEvents } from './late-events.ts'
import { migrate } from './migrate.ts'
import { model } from './model/command.ts'
import { FAULTS, plan } from './plan.ts'
import { races } from './races/command.ts'
import { redisDown } from './redis-down.ts'
import { scaleOut, sigterm } from './under-load.ts'
import { webhooks } from './webhooks.ts'

/** `pnpm faults [command] [options]`: without a command, the plan of faults. */
const OUTAGES = { 'redis-down': redisDown, backlog, sigterm, 'scale-out': scaleOut, failover, migrate }
const COMMANDS = { plan, ...OUTAGES, webhooks, hanging, 'late-events': lateEvents, model, races, fuzz: fuzzing }
const args = process.argv.slice(2)

await runProgram('faults', fileURLToPath(new URL('../../../..', import.meta.url)), process.env, async (tools) => {
  if (args[0] === 'help') tools.say(`faults         ${FAULTS.map(({ name }) => name).join(', ')}`)
  return await runCommand(tools, COMMANDS, args, 'plan')
})
