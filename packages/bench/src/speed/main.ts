import { fileURLToPath } from 'node:url'
import { runCommand, runProgram } from '../rig/command-line.ts'
import { all } from './all.ts'
import { bulk } from './bulk.ts'
import { call } from './call.ts'
import { catalog } from './catalog.ts'
import { enforcement } from './enforcement.ts'
import { growth } from './growth.ts'
import { hanging } from './hanging.ts'
import { lateEvents } from './late-events.ts'
import { list } from './list.ts'
import { memory } from './memory.ts'
import { metering } from './metering.ts'
import { neighbours } from './neighbours.ts'
import { predict } from './predict.ts'
import { predictStalls } from './predict-stalls.ts'
import { processes } from './processes.ts'
import { start } from './start.ts'
import { visible } from './visible.ts'
import { webhookSpeed } from './webhook-speed.ts'
import { webhooks } from './webhooks.ts'

/** `pnpm bench <name> [options]`: one scenario. */
const SCENARIOS = {
  ...{ webhooks, hanging, 'webhook-speed': webhookSpeed, enforcement, list, bulk, 'late-events': lateEvents },
  ...{ predict, 'predict-stalls': predictStalls, neighbours, call, processes, metering, visible, catalog, memory, growth, start, all },
}

await runProgram('bench', fileURLToPath(new URL('../../../..', import.meta.url)), process.env, (tools) =>
  runCommand(tools, SCENARIOS, process.argv.slice(2)),
)
