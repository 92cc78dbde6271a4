import { WebhookVerificationError } from './errors.ts'
import { known } from './options.ts'
import type { WebhookEvent } from './types.ts'

export { WebhookVerificationError } from './errors.ts'

export type { WebhookEvent } from './types.ts'

/** The headers of a request: `Headers`, or an object such as `req.headers` of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export type UnwrapOptions = {
  /** How old a webhook may be: 300 seconds by default. */
  readonly toleranceSeconds?: number
}

const TOLERANCE_SECONDS = 300
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Verifies a webhook and returns its event. `body` is the body as it was received, before any parser; `secrets` is the signing secret, or
 * several while a secret is being replaced. Throws a WebhookVerificationError for a webhook that is not from Onward or too old.
 */
export async function unwrap(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: UnwrapOptions = {},
): Promise<WebhookEvent> {
  const { toleranceSeconds = TOLERANCE_SECONDS } = known(options, { toleranceSeconds: true })
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError(
      'body must be the text or the bytes of the request, because the signature covers its exact bytes. With Express, use ' +
        "express.raw({ type: 'application/json' }); in a fetch handler, use await request.text()",
    )
  }
  const text = typeof body === 'string' ? body : decoder.decode(body)
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError('the headers webhook-id, webhook-timestamp and webhook-signature are required')
  }
  const age = Date.now() / 1_000 - Number(timestamp)
  if (!(Math.abs(age) <= toleranceSeconds)) {
    throw new WebhookVerificationError(`the webhook was signed ${Math.round(age)} s ago; at most ${toleranceSeconds} s are allowed`)
  }
  if (!(await isSigned(`${id}.${timestamp}.${text}`, signatures, typeof secrets === 'string' ? [secrets] : secrets))) {
    throw new WebhookVerificationError('no signature matches: check the secret, and that the body was not parsed or changed')
  }
  const event = {
    id,
    type: headerOf(headers, 'event-name') ?? '',
    subscriptionId: headerOf(headers, 'subscription-id') ?? '',
    appKey: headerOf(headers, 'app-key') ?? null,
    sentAt: new Date(Number(timestamp) * 1_000),
    test: headerOf(headers, 'onward-test') === 'true',
    data: JSON.parse(text),
  }
  return event as WebhookEvent
}

/** Returns the body and the headers of a signed webhook, to test your own receiver with. */
export async function signForTest(
  data: WebhookEvent['data'],
  secret: string,
  options: { id?: string; type?: WebhookEvent['type']; sentAt?: Date } = {},
): Promise<{ body: string; headers: Record<string, string> }> {
  const names = { id: true, type: true, sentAt: true } as const
  const { id = `test-${crypto.randomUUID()}`, type = 'user_tasks_limit_80', sentAt = new Date() } = known(options, names)
  const body = JSON.stringify(data)
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000))
  const key = await importKey(secret, 'sign')
  const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(`${id}.${timestamp}.${body}`))
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'subscription-id': '00000000-0000-4000-8000-000000000000',
      'event-name': type,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
    },
  }
}

/** Compares in constant time. */
async function isSigned(content: string, signatures: string, secrets: readonly string[]): Promise<boolean> {
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [bytesOf(one.slice(3))] : []))
  for (const secret of secrets) {
    const key = await importKey(secret, 'verify')
    for (const signature of given) {
      if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, encoder.encode(content)))) return true
    }
  }
  return false
}

async function importKey(secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length === 0) throw new TypeError('the signing secret must have the form whsec_…')
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage])
}

/** Returns the bytes of a base64 text; undefined if it is none. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}
