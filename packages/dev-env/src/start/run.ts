import { join } from 'node:path'
import { type Started, start } from './start.ts'

/**
 * Runs `npm start` until a signal, and gives the exit code. The signal may come at any time, and more than once: a terminal sends
 * Ctrl-C to npm and to us, and npm passes it on.
 */
export async function run(root: string, process: NodeJS.Process): Promise<number> {
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  }).then(() => say('\nstopping'))
  let started: Started
  try {
    started = await start({ root, dir: join(root, '.onward'), args: process.argv.slice(2), env: process.env, say })
  } catch (err) {
    process.stderr.write(`Onward did not start: ${describe(err)}\n`)
    return 1
  }
  await stopped
  await started.close()
  say('stopped')
  return 0
}

/** What we throw on purpose says all in its message; anything else is a bug, and its stack is needed. */
function describe(err: unknown): string {
  if (!(err instanceof Error)) return String(err)
  const bug = err instanceof TypeError || err instanceof RangeError || err instanceof ReferenceError
  return bug ? (err.stack ?? err.message) : err.message
}
