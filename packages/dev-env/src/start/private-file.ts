import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Writes a file that only its owner can read, whole or not at all. */
export function writePrivateJson(file: string, value: unknown): void {
  const partial = `${file}.${process.pid}`
  writeFileSync(partial, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  renameSync(partial, file)
}

/** The value in the file; undefined when there is no such file. */
export function readPrivateJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`${file} can't be read: ${(err as Error).message}`)
  }
}
