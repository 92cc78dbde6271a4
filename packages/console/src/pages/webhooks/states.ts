import type { Delivery, getSubscription, ResponseOf, readSubscriptionHealth, Subscription } from '@onward/contract'
import { HOUR_MS } from '@onward/contract/pure'
import { formatCapped, formatCount } from '../../text/format.ts'
import type { BadgeTone } from '../../ui/badge.tsx'
import { causeName, readFailure } from './fault.ts'
import { TEXT } from './words.ts'

/** A subscription with the numbers of its deliveries. */
export type OneSubscription = ResponseOf<typeof getSubscription>

/** A delivery with the subscription that it belongs to. */
export type OwnedDelivery = Delivery & { readonly subscription_id: string }

export type Shown = { readonly tone: BadgeTone; readonly text: string; readonly pulse?: boolean }

/** How a subscription is doing. */
export function stateOf({ status, failing_since }: Pick<Subscription, 'status' | 'failing_since'>): Shown {
  if (status === 'disabled') return { tone: 'neutral', text: TEXT.state.disabled }
  return failing_since === null ? { tone: 'good', text: TEXT.state.active } : { tone: 'bad', text: TEXT.state.failing }
}

/** The state of a delivery. One that has failed attempts and waits for the next one is being retried. */
export function deliveryStateOf({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): Shown {
  switch (status) {
    case 'delivered':
      return { tone: 'good', text: TEXT.deliveries.status.delivered }
    case 'failed':
      return { tone: 'bad', text: TEXT.deliveries.status.failed }
    case 'pending':
      return attempts.length === 0
        ? { tone: 'accent', text: TEXT.deliveries.status.pending, pulse: true }
        : { tone: 'warn', text: TEXT.deliveries.retrying, pulse: true }
  }
}

/** 80 for `user_tasks_limit_80`; undefined for an event that is no level. */
export function levelOf(event: string): number | undefined {
  const level = /^user_tasks_limit_(\d+)$/.exec(event)?.[1]
  return level === undefined ? undefined : Number(level)
}

/** `80% of the limit` for `user_tasks_limit_80`, `Limit changed` for `limit_changed`; the whole name for an unknown kind. */
export function eventName(event: string): string {
  const level = levelOf(event)
  return level === undefined ? (new Map(Object.entries(TEXT.kinds)).get(event) ?? event) : TEXT.level(String(level))
}

/** What the endpoint answered to the newest attempt, in a word. Undefined before the first attempt. */
export function lastResponse({ attempts }: Pick<Delivery, 'attempts'>): string | undefined {
  const last = attempts.at(-1)
  if (last === undefined) return undefined
  if (last.status !== null) return TEXT.deliveries.unknownResponse(String(last.status))
  const { kind, cause } = readFailure(last.failure)
  return (cause !== undefined && causeName(cause)) || TEXT.failure[kind] || last.failure || TEXT.deliveries.noResponse
}

/** The services count at most so many deliveries of each state. */
export const COUNTED = 10_000

/** `3 pending deliveries`; empty for none. */
export function pendingOf(count: number): string {
  if (count === 0) return ''
  const { one, other } = TEXT.settings.pending
  return count >= COUNTED ? `${formatCapped(count, COUNTED)} ${other}` : formatCount(count, one, other)
}

/** `hooks.example.com/onward`: an address without what all have in common. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}

type Health = ResponseOf<typeof readSubscriptionHealth>['subscriptions'][number]

export type Sparks = { readonly all: readonly number[]; readonly failed: readonly number[]; readonly capped: boolean }

const HOURS = 24

/** The deliveries of the last 24 hours by hour, the oldest first. Retrying deliveries count as failed. */
export function sparksOf({ hours, capped }: Pick<Health, 'hours' | 'capped'>, now: Date): Sparks {
  const current = Math.floor(now.getTime() / HOUR_MS)
  const all = new Array<number>(HOURS).fill(0)
  const failed = new Array<number>(HOURS).fill(0)
  for (const each of hours) {
    // The hour in which the 24 hours begin has only a part of its deliveries; it joins the first whole hour.
    const at = Math.max(0, HOURS - 1 - (current - Math.floor(Date.parse(each.hour) / HOUR_MS)))
    all[at] = (all[at] ?? 0) + each.delivered + each.failed + each.pending
    failed[at] = (failed[at] ?? 0) + each.failed + each.retrying
  }
  return { all, failed, capped }
}

/** Names of request headers with their values, as far as they are the same for all attempts. */
export function headersOf(delivery: OwnedDelivery): readonly (readonly [name: string, value: string])[] {
  const anew = TEXT.delivery.signedAnew
  return [
    ['content-type', 'application/json'],
    ['user-agent', 'Onward'],
    ['subscription-id', delivery.subscription_id],
    ['event-name', delivery.event_name],
    ['webhook-id', delivery.delivery_id],
    ['webhook-timestamp', anew],
    ['webhook-signature', anew],
    ...(delivery.test ? [['onward-test', 'true'] as const] : []),
    ...(delivery.app_key === null ? [] : [['app-key', encodeURIComponent(delivery.app_key)] as const]),
  ]
}
