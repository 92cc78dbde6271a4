import type { AppFunction } from '../types.ts'
import type { Paging } from './paging.ts'
import { compilePointer } from './pointer.ts'

/**
 * Compiles the reading of answers. Where `output` points at nothing, the output is the whole body: an app that answers 200 with an error
 * in the body (Slack's `ok: false`) is then still understood.
 */
export function compileAnswer(output: string, paging: Paging | null): AppFunction['answer'] {
  const read = compilePointer(output)
  return (status, body, cursor) => {
    const whole = body ?? null
    if (status < 200 || status > 299) return { output: whole, cursor: paging ? null : undefined }
    const found = read(whole)
    const page = Array.isArray(found) ? found : []
    return { output: found === undefined ? whole : found, cursor: paging ? paging.next(whole, page, cursor) : undefined }
  }
}
