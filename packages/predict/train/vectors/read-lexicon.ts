import { readFile } from 'node:fs/promises'

/** The groups of words of `lexicon.txt`. */
export async function readLexicon(path: string): Promise<string[][]> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(' '))
}
