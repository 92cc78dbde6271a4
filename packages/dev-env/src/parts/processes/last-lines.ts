import { readFile } from 'node:fs/promises'

export function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n')
}

/** What a server said last, indented to stand below the line that names the failure. */
export async function logTail(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '')
  return `The end of ${log}:\n${lastLines(text, 12).replace(/^/gm, '  ')}`
}
