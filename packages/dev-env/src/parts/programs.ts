import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** A user account of this machine under which a program runs. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number }

type RunOptions = {
  readonly env: NodeJS.ProcessEnv
  readonly timeoutMs: number
  readonly account?: Account
}

/** Runs a program and returns its standard output. If it fails, throws an error with the last lines of its standard error. */
export function runProgram(file: string, args: readonly string[], { env, timeoutMs, account }: RunOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    // The account may not be allowed to read our working directory, and Postgres' programs fail if they cannot read theirs.
    const options = { env, timeout: timeoutMs, cwd: '/', uid: account?.uid, gid: account?.gid, maxBuffer: 16_000_000 }
    execFile(file, args, options, (err, stdout, stderr) => {
      if (!err) return resolve(stdout)
      const reason = err.killed ? `not finished after ${timeoutMs / 1000} s` : lastLines(stderr, 3) || err.message
      reject(new Error(`${file} failed: ${reason}`))
    })
  })
}

export function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n')
}

/** Returns the path of the first of these programs that is on the PATH. */
export function findProgram(env: NodeJS.ProcessEnv, ...names: readonly string[]): string | undefined {
  const paths = names.flatMap((name) => foldersOnPath(env).map((folder) => join(folder, name)))
  return paths.find(isProgram)
}

export function foldersOnPath(env: NodeJS.ProcessEnv): string[] {
  return (env.PATH ?? '').split(delimiter).filter(isAbsolute)
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
