import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

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

/** The first of these programs on the PATH. */
export function findProgram(env: NodeJS.ProcessEnv, ...names: readonly string[]): string | undefined {
  const paths = names.flatMap((name) => foldersOnPath(env).map((folder) => join(folder, name)))
  return paths.find(isProgram)
}
