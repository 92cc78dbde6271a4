import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command, Desk } from './command.ts'
import { backlog } from './commands/backlog.ts'
import { plan } from './commands/plan.ts'
import { redisDown } from './commands/redis-down.ts'
import { scaleOut } from './commands/scale-out.ts'
import { sigterm } from './commands/sigterm.ts'
import { FAULTS } from './faults/all.ts'
import { readArguments } from './read-arguments.ts'
import { openRig, type Rig } from './rig/open-rig.ts'

/** `pnpm faults [command] [options]`: without a command the plan of faults. */
const COMMANDS: Readonly<Record<string, Command>> = { plan, 'redis-down': redisDown, backlog, sigterm, 'scale-out': scaleOut }

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const say = (line: string) => void process.stdout.write(`${line}\n`)
let open: Rig | undefined

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void (open?.close() ?? Promise.resolve()).then(() => process.exit(130)))
}

process.exitCode = await main(process.argv.slice(2)).catch((err: unknown) => {
  say(err instanceof Error ? (err.stack ?? err.message) : String(err))
  return 1
})

async function main(args: readonly string[]): Promise<number> {
  const { name, list, arguments: given } = readArguments(args)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (list || command === undefined) {
    for (const [each, { summary }] of Object.entries(COMMANDS)) say(`${each.padEnd(12)} ${summary}`)
    say(`faults:      ${FAULTS.map((fault) => fault.name).join(', ')}`)
    return list ? 0 : 1
  }
  say(
    `faults ${args.join(' ')}; ${new Date().toISOString().slice(0, 16)}Z; Node ${process.versions.node}; ${cpus().length} × ${cpus()[0]?.model}`,
  )
  const desk: Desk = {
    arguments: given,
    say,
    async withRig(options, work) {
      const rig = await openRig({
        functions: 2,
        insights: 2,
        on: given.on,
        tmpfs: false,
        ...options,
        root,
        dir: join(root, '.onward/faults'),
        env: process.env,
      })
      open = rig
      try {
        say(`${rig.postgres.from}; ${rig.queueFrom}; ${rig.functions.length} A, ${rig.insights.length} B`)
        return await work(rig)
      } finally {
        await rig.close()
      }
    },
  }
  await command.run(desk)
  return 0
}
