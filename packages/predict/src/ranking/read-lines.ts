import { readFile } from 'node:fs/promises'

/** The values of a file of JSON lines. Throws an error that names the line when one is none. */
export async function readLines<T>(path: string): Promise<T[]> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  return lines.map((line, i) => {
    try {
      return JSON.parse(line) as T
    } catch (cause) {
      throw new Error(`${path}: line ${i + 1} is no JSON`, { cause })
    }
  })
}
