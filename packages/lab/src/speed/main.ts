import { fileURLToPath } from 'node:url'
import { runCommand, runProgram } from '../rig/command-line.ts'
import { call } from './call.ts'
import { growth } from './growth.ts'
import { list } from './list.ts'
import { metering } from './metering.ts'
import { neighbours } from './neighbours.ts'
import { webhookSpeed } from './webhook-speed.ts'

/** `pnpm bench <name> [options]`: one scenario. */
const SCENARIOS = { call, metering, 'webhook-speed': webhookSpeed, list, growth, neighbours }

await runProgram('bench', fileURLToPath(new URL('../../../..', import.meta.url)), process.env, (tools) =>
  runCommand(tools, SCENARIOS, process.argv.slice(2)),
)
