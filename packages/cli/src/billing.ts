import type { UsageRecord } from './usage-journal.ts'

/** `refused`: the billing system did not take the record. `failed`: it is not known whether the record arrived. */
type Result = { readonly kind: 'sent' } | { readonly kind: 'refused' | 'failed'; readonly why: string }

/** A billing system that counts a record once, even if it gets it again within `remembersMs`. */
export type Receiver = { readonly remembersMs: number; send(record: UsageRecord): Promise<Result> }

type Options = { readonly key: string; readonly eventName: string; readonly url: string | undefined }

const TIMEOUT_MS = 30_000
/** Stripe compares the identifiers of at least the last 24 hours. OpenMeter's time can be configured. */
const DAY_LESS_AN_HOUR_MS = 23 * 3_600_000

/** The billing systems, with the variables of the environment that hold their keys. */
export const BILLING = {
  stripe: {
    variable: 'STRIPE_API_KEY',
    open: ({ key, eventName, url = 'https://api.stripe.com' }: Options): Receiver => ({
      remembersMs: DAY_LESS_AN_HOUR_MS,
      send: ({ id, customer, from, until, time }) =>
        post(`${url}/v1/billing/meter_events`, key, {
          type: 'application/x-www-form-urlencoded',
          body: new URLSearchParams({
            event_name: eventName,
            identifier: id,
            timestamp: String(secondsOf(time)),
            'payload[stripe_customer_id]': customer,
            'payload[value]': String(until - from),
          }).toString(),
          duplicate: /already exists with identifier/i,
        }),
    }),
  },
  openmeter: {
    variable: 'OPENMETER_API_KEY',
    open: ({ key, eventName, url = 'https://openmeter.cloud' }: Options): Receiver => ({
      remembersMs: DAY_LESS_AN_HOUR_MS,
      send: ({ id, customer, from, until, time, app_key, user_id }) =>
        post(`${url}/api/v1/events`, key, {
          type: 'application/cloudevents+json',
          body: JSON.stringify({
            specversion: '1.0',
            id,
            source: 'onward',
            type: eventName,
            subject: customer,
            time,
            data: { tasks: until - from, app_key, user_id },
          }),
        }),
    }),
  },
  lago: {
    variable: 'LAGO_API_KEY',
    open: ({ key, eventName, url = 'https://api.getlago.com' }: Options): Receiver => ({
      remembersMs: Number.POSITIVE_INFINITY,
      send: ({ id, customer, from, until, time, app_key, user_id }) =>
        post(`${url}/api/v1/events`, key, {
          type: 'application/json',
          body: JSON.stringify({
            event: {
              transaction_id: id,
              external_subscription_id: customer,
              code: eventName,
              timestamp: secondsOf(time),
              properties: { tasks: until - from, app_key, user_id },
            },
          }),
          duplicate: /"transaction_id"\s*:\s*\[\s*"value_already_exist"/,
        }),
    }),
  },
} as const

const secondsOf = (time: string) => Math.floor(Date.parse(time) / 1_000)

type Request = {
  readonly type: string
  readonly body: string
  /** Matches the response to a record that arrived before. */
  readonly duplicate?: RegExp
}

async function post(url: string, key: string, { type, body, duplicate }: Request): Promise<Result> {
  let status: number
  let text: string
  try {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type }
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    status = response.status
    text = await response.text()
  } catch (err) {
    return { kind: 'failed', why: `no response from ${new URL(url).host}: ${(err as Error).message}` }
  }
  if (status < 300 || (status < 500 && duplicate?.test(text))) return { kind: 'sent' }
  const why = `${new URL(url).host} answered ${status}: ${text.slice(0, 300)}`
  return { kind: status >= 500 || status === 429 || status === 408 ? 'failed' : 'refused', why }
}
