import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Started, start } from './start/start.ts'

// If Redis was killed, connections to it would try again for ever, and the process would not end by itself.
process.exit(await run(fileURLToPath(new URL('../../..', import.meta.url))))

/** Runs `npm start` until a signal arrives, and returns the exit code. A second signal is ignored: npm passes on the terminal's Ctrl-C. */
async function run(root: string): Promise<number> {
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  }).then(() => say('\nstopping'))
  let started: Started
  try {
    started = await start({ root, dir: join(root, '.onward'), fresh: process.argv.includes('--fresh'), env: process.env, say })
  } catch (err) {
    process.stderr.write(`Onward did not start: ${describe(err)}\n`)
    return 1
  }
  await stopped
  await started.close()
  say('stopped')
  return 0
}

/** The message of an expected error is complete. Any other error is a bug, and its stack is needed. */
function describe(err: unknown): string {
  if (!(err instanceof Error)) return String(err)
  const bug = err instanceof TypeError || err instanceof RangeError || err instanceof ReferenceError
  return bug ? (err.stack ?? err.message) : err.message
}
