import { ADMIN_TOKEN } from '@onward/testbed'
import type { Functions } from './support.ts'

const NEW_KEY = { id: 'new', key: Buffer.alloc(32, 9) }

/** Starts the service with a new sealing key before the suite's keys, or with the new key alone. */
export async function startWithNewKey(onward: Pick<Functions, 'config' | 'startAnother'>, others: 'and the old key' | 'alone') {
  const sealingKeys = others === 'alone' ? [NEW_KEY] : [NEW_KEY, ...onward.config.sealingKeys]
  const { url, internalUrl } = await onward.startAnother({ sealingKeys })

  async function post(at: string, path: string, headers: Record<string, string>) {
    const response = await fetch(`${at}${path}`, { method: 'POST', headers })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return {
    call: (name: string, headers: Record<string, string>) => post(url, `/functions/${name}/call`, headers),
    /** Returns the status and body of /readyz. */
    async ready() {
      const response = await fetch(`${internalUrl}/readyz`)
      return { status: response.status, body: await response.json() }
    },
    /** Returns the response of one request. */
    reseal: () => post(internalUrl, '/admin/secrets/reseal', { authorization: `Bearer ${ADMIN_TOKEN}` }),
  }
}
