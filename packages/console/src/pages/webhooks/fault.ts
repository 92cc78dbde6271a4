import type { Delivery } from '@onward/contract'
import { TEXT } from './words.ts'

export type Attempt = Delivery['attempts'][number]

/** Why an attempt failed, who has to act, and what to do next. */
type Fault = { readonly text: string; readonly whose: 'endpoint' | 'onward'; readonly next: string }

/** Returns why an attempt failed; undefined if it succeeded. */
export function faultOf({ status, failure }: Pick<Attempt, 'status' | 'failure'>): Fault | undefined {
  if (status !== null) return status >= 200 && status < 300 ? undefined : { whose: 'endpoint', ...ofStatus(status) }
  const { kind, cause } = readFailure(failure)
  const known = FAILURES[kind]
  if (known === undefined) {
    const text = `The webhook could not be delivered${kind === '' ? '' : `: ${kind}`}.`
    return { text, whose: 'endpoint', next: 'Check that your endpoint can be reached from the internet.' }
  }
  const text = cause === undefined ? known.text : `${known.text.replace(/\.$/, '')}: ${causeName(cause)}.`
  return { text, whose: known.whose ?? 'endpoint', next: (cause === undefined ? undefined : nextAfter(cause)) ?? known.next }
}

/** Splits `unreachable: ECONNREFUSED` into the kind of failure and what it came from. */
export function readFailure(failure: string | null): { readonly kind: string; readonly cause: string | undefined } {
  const [kind = '', cause] = (failure ?? '').split(': ')
  return { kind, cause }
}

/** `connection refused` for ECONNREFUSED; an unknown code as it is. */
export function causeName(cause: string): string {
  return TEXT.causes[cause] ?? cause
}

/** What to do about the cause of a failed connection; undefined if the cause adds nothing to the failure. */
function nextAfter(cause: string): string | undefined {
  if (cause === 'ECONNREFUSED') return 'No server listens on this host and port. Check that your endpoint is running, and its port.'
  if (cause === 'ENOTFOUND' || cause === 'EAI_AGAIN') return 'The host name was not found. Check the URL and the DNS record.'
  if (/CERT|TLS|SSL|SELF_SIGNED|ISSUER/.test(cause))
    return 'The certificate is not valid for this host. Renew it, and serve the complete chain.'
  if (/^E(TIMEDOUT|HOSTUNREACH|NETUNREACH)$/.test(cause)) return 'The host does not respond. Check that it is up, and its firewall.'
  return undefined
}

function ofStatus(status: number): Pick<Fault, 'text' | 'next'> {
  const text = `Your endpoint responded with ${status}.`
  if (status < 400) {
    return {
      text: `Your endpoint responded with ${status}, a redirect.`,
      next: 'Redirects are not followed. Create a subscription for the final URL.',
    }
  }
  switch (status) {
    case 401:
    case 403:
      return { text, next: 'Check how your endpoint verifies the signature: the secret, the unmodified body, and the clock.' }
    case 404:
    case 405:
      return { text, next: 'This URL does not accept POST requests. Check the path and the deployed version.' }
    case 408:
    case 429:
      return { text, next: 'Your endpoint is busy. Onward honours its Retry-After header, up to 24 hours.' }
    case 410:
      return { text, next: 'This status disables the subscription. When your endpoint works again, enable it in its settings.' }
    default:
      return status >= 500
        ? { text, next: 'The error is in your endpoint. Search its logs for the delivery ID, fix the cause, then send it again.' }
        : { text, next: 'Your endpoint rejected the webhook. Check its response, and how it reads the body.' }
  }
}

const FAILURES: Readonly<Record<string, Pick<Fault, 'text' | 'next'> & { whose?: Fault['whose'] }>> = {
  unreachable: {
    text: 'Onward could not connect to your endpoint.',
    next: 'Check that your endpoint is running, its DNS record and its certificate.',
  },
  timed_out: {
    text: 'Your endpoint did not respond in time.',
    next: 'The timeout is 15 seconds. Respond first, then process the webhook.',
  },
  broken: {
    text: 'The connection was closed before the response was complete.',
    next: 'Your endpoint or a proxy closed the connection, or the response was not HTTP. Check their logs.',
  },
  blocked: {
    text: 'Onward does not send requests to this address.',
    next: 'The host has a private address, or the port is not allowed. Use a public host with https and port 443 or 8443.',
  },
  too_large: {
    text: 'The response of your endpoint was too large.',
    next: 'Respond with a 2xx status and an empty body.',
  },
  no_room: {
    text: 'Onward had not enough memory for the response.',
    next: 'Onward retries automatically. If the error persists, contact the operator.',
    whose: 'onward',
  },
}
