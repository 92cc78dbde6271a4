import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import type { Account } from './run-program.ts'
import { waitUntil } from './wait-until.ts'

export type Child = {
  readonly pid: number
  ended(): boolean
  /** Asks with this signal, waits, and ends the process for good when the time is over. */
  stop(signal: NodeJS.Signals, timeoutMs: number): Promise<void>
}

type Options = { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly log: string; readonly account?: Account }

/**
 * Starts a server whose output goes to a log of its own. It leads its own process group, so that a Ctrl-C at the
 * terminal doesn't take it away from under those who still use it.
 */
export async function startChild(file: string, args: readonly string[], { cwd, env, log, account }: Options): Promise<Child> {
  const output = await open(log, 'w', 0o600)
  try {
    const stdio = ['ignore' as const, output.fd, output.fd]
    const child = spawn(file, args, { cwd, env, stdio, detached: true, uid: account?.uid, gid: account?.gid })
    await once(child, 'spawn')
    child.unref()
    return guard(child)
  } finally {
    await output.close()
  }
}

/** A caller that ends without stop(), by process.exit or an error that nobody caught, leaves no server behind either. */
function guard(child: ChildProcess): Child {
  const ended = () => child.exitCode !== null || child.signalCode !== null
  const endWithUs = () => child.kill('SIGINT')
  process.once('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))
  return {
    pid: child.pid ?? 0,
    ended,
    async stop(signal, timeoutMs) {
      if (ended()) return
      child.kill(signal)
      if (await waitUntil(ended, timeoutMs)) return
      child.kill('SIGKILL')
      await waitUntil(ended, 2_000)
    },
  }
}
