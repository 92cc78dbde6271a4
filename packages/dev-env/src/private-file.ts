import { renameSync, writeFileSync } from 'node:fs'

/** Replaces a file atomically; only its owner can read the new one. */
export function writePrivate(file: string, text: string): void {
  const partial = `${file}.${process.pid}`
  writeFileSync(partial, text, { mode: 0o600 })
  renameSync(partial, file)
}

export function writePrivateJson(file: string, value: unknown): void {
  writePrivate(file, `${JSON.stringify(value, null, 2)}\n`)
}
