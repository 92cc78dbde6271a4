import { createHmac } from 'node:crypto'

/** One signature of Standard Webhooks (symmetric, v1). */
export function signature(key: Buffer, id: string, timestamp: string, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
