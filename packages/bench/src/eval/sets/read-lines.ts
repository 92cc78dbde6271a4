import { readFile } from 'node:fs/promises'
import type { ObjectSchema } from '@onward/contract'
import { compileCheck } from '@onward/runtime'

/** Reads a file with a JSON value a line. Throws an error that names the file, and the line that is not as the schema says. */
export async function readLines<T>(file: string, schema: ObjectSchema): Promise<T[]> {
  const check = compileCheck(schema, 'strict')
  const text = await readFile(file, 'utf8')
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const value = parse(line, `${file}:${index + 1}`)
    const problems = check(value)
    if (problems.length > 0) throw new Error(`${file}:${index + 1}: ${problems.join('; ')}`)
    return [value as T]
  })
}

function parse(line: string, place: string): unknown {
  try {
    return JSON.parse(line)
  } catch (err) {
    throw new Error(`${place}: ${(err as Error).message}`)
  }
}
