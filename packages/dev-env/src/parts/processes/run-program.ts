import { execFile } from 'node:child_process'
import { lastLines } from './last-lines.ts'

/** An account of this machine that a program runs as. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number }

type Options = {
  readonly env: NodeJS.ProcessEnv
  readonly timeoutMs: number
  readonly account?: Account
}

/** Runs a program to its end and answers what it printed. Throws with the last lines of its complaint. */
export function runProgram(file: string, args: readonly string[], { env, timeoutMs, account }: Options): Promise<string> {
  return new Promise((resolve, reject) => {
    // The folder that we stand in may be closed to the account, and Postgres' programs stop when they can't read it.
    const options = { env, timeout: timeoutMs, cwd: '/', uid: account?.uid, gid: account?.gid, maxBuffer: 16_000_000 }
    execFile(file, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      const complaint = error.killed ? `not done after ${timeoutMs / 1000} s` : lastLines(stderr, 3) || error.message
      reject(new Error(`${file} failed: ${complaint}`))
    })
  })
}
