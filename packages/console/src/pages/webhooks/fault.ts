import type { Delivery } from '@onward/contract'

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
  const text = cause === undefined ? known.text : `${known.text.replace(/\.$/, '')}: ${cause}.`
  return { text, whose: known.whose ?? 'endpoint', next: (cause === undefined ? undefined : nextAfter(cause)) ?? known.next }
}

/** Splits `unreachable: ECONNREFUSED` into the kind of failure and what it came from. */
export function readFailure(failure: string | null): { readonly kind: string; readonly cause: string | undefined } {
  const [kind = '', cause] = (failure ?? '').split(': ')
  return { kind, cause }
}

/** What to do about the cause of a failed connection; undefined if the cause adds nothing to the failure. */
function nextAfter(cause: string): string | undefined {
  if (cause === 'ECONNREFUSED') return 'Nothing listens at this host and port. Check that your endpoint runs, and its port.'
  if (cause === 'ENOTFOUND' || cause === 'EAI_AGAIN') return 'Its host name was not found. Check the address and the DNS record.'
  if (/CERT|TLS|SSL|SELF_SIGNED|ISSUER/.test(cause))
    return 'Its certificate is not valid for this host. Renew it, and serve the whole chain.'
  if (/^E(TIMEDOUT|HOSTUNREACH|NETUNREACH)$/.test(cause)) return 'No packet came back. Check its firewall and that the host is up.'
  return undefined
}

function ofStatus(status: number): Pick<Fault, 'text' | 'next'> {
  const text = `Your endpoint answered ${status}.`
  if (status < 400) {
    return {
      text: `Your endpoint answered ${status}, a redirect.`,
      next: 'Redirects are not followed. Subscribe the final address instead.',
    }
  }
  switch (status) {
    case 401:
    case 403:
      return { text, next: 'Check how it verifies the signature: the secret, the unchanged bytes of the body, and its clock.' }
    case 404:
    case 405:
      return { text, next: 'Nothing receives POST requests at this address. Check the path, and that the right version is deployed.' }
    case 408:
    case 429:
      return { text, next: 'It is busy. Onward waits as long as its Retry-After header asks for, up to 24 hours.' }
    case 410:
      return { text, next: 'This status disables the subscription. Enable it in its settings when the endpoint is back.' }
    default:
      return status >= 500
        ? { text, next: 'The error is in your endpoint. Search its logs for the delivery ID, correct the cause, then send it again.' }
        : { text, next: 'Your endpoint refused the webhook. Look at what it answered, and at how it reads the body.' }
  }
}

const FAILURES: Readonly<Record<string, Pick<Fault, 'text' | 'next'> & { whose?: Fault['whose'] }>> = {
  unreachable: {
    text: 'Onward could not connect to your endpoint.',
    next: 'Its host name was not found, it refused the connection, or TLS failed. Check that it runs, its DNS record and its certificate.',
  },
  timed_out: {
    text: 'Your endpoint did not answer in time.',
    next: 'It has 15 seconds. Answer first, and do the work afterwards.',
  },
  broken: {
    text: 'The connection broke before the response was complete.',
    next: 'Your endpoint or a proxy before it closed the connection, or its response was not HTTP. Look in their logs.',
  },
  blocked: {
    text: 'Onward does not send requests to this address.',
    next: 'Its host has a private address, or its port is not allowed. Use a public host with https and port 443 or 8443.',
  },
  too_large: {
    text: 'The response of your endpoint was too large.',
    next: 'Answer with a 2xx status and an empty body.',
  },
  no_room: {
    text: 'Onward had no memory for the response.',
    next: 'Onward tries again by itself. Tell the operator if this goes on.',
    whose: 'onward',
  },
}
