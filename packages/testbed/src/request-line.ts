import { readFile } from 'node:fs/promises'
import { eventually } from './eventually.ts'

/** Waits until a log file has the line of this request, and returns the line. It is written when the request has ended. */
export async function requestLine(file: string, requestId: string): Promise<Record<string, unknown>> {
  return await eventually(async () => {
    const lines: Record<string, unknown>[] = (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const found = lines.find((line) => line.msg === 'request' && line.request_id === requestId)
    if (found === undefined) throw new Error(`the log has no line of request ${requestId}`)
    return found
  })
}
