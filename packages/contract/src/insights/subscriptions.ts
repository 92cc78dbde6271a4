import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { listCursor, pageSize, success, unchanged } from '../parts.ts'
import { arrayOf, object, time, timeOrNull, uuid } from '../schemas.ts'
import { deliveryReference, exampleReference, exampleSubscriptionId } from './deliveries.ts'
import { webhookKind } from './webhook-kinds.ts'

const exampleParams = { subscription_id: exampleSubscriptionId } as const
const exampleEvents = ['user_tasks_limit_80', 'user_tasks_limit_100'] as const
const exampleSecret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='

const exampleSubscription = {
  ...exampleParams,
  events: exampleEvents,
  callback_url: 'https://hooks.example.com/onward',
  status: 'active',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  created_at: '2026-11-23T08:00:00.000Z',
  secret_rotated_at: null,
  previous_valid_until: null,
} as const

/** What a subscription is created with, and what can be changed later. */
const settings = {
  events: { type: 'array', minItems: 1, maxItems: 100, uniqueItems: true, items: webhookKind },
  callback_url: { type: 'string', minLength: 1, maxLength: 2048 },
} as const

/**
 * Answers 409 `too_many_subscriptions` when a workspace would have more than 100 subscriptions that are not disabled, or more than 200
 * events in all of them together, or more than 1,000 with disabled ones.
 */
export const createSubscription = endpoint({
  method: 'post',
  path: '/partners/api/insights/subscriptions',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'subscription.create',
  summary: 'Subscribe a callback URL to events: at most 100 subscriptions that are not disabled, with 200 events in all of them together.',
  body: object(settings),
  errors: ['too_many_subscriptions'],
  response: object({ subscription_id: uuid, signing_secret: { type: 'string' } }),
  examples: [
    {
      summary: 'Two levels',
      body: { events: exampleEvents, callback_url: 'https://hooks.example.com/onward' },
      response: { ...exampleParams, signing_secret: exampleSecret },
    },
  ],
})

export const deleteSubscription = endpoint({
  method: 'delete',
  path: '/partners/api/insights/subscriptions/:subscription_id',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'subscription.delete',
  summary: 'Delete a subscription.',
  errors: ['subscription_not_found'],
  response: success,
  examples: [{ summary: 'Delete a subscription', params: exampleParams, response: { success: true } }],
})

const subscription = object({
  subscription_id: uuid,
  events: arrayOf(webhookKind),
  callback_url: { type: 'string' },
  status: { type: 'string', enum: ['active', 'disabled'] },
  disabled_reason: { type: ['string', 'null'] },
  disabled_at: timeOrNull,
  /** The time since which all attempts have failed. Null after a success. */
  failing_since: timeOrNull,
  created_at: time,
  secret_rotated_at: timeOrNull,
  /** The time until which the previous secret signs deliveries too. Null if only the current secret signs them. */
  previous_valid_until: timeOrNull,
})

export type Subscription = FromSchema<typeof subscription>

export const listSubscriptions = endpoint({
  method: 'get',
  path: '/partners/api/insights/subscriptions',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: "List the workspace's subscriptions, newest first, including disabled ones.",
  query: { type: 'object', properties: { page_size: pageSize, _cursor: { type: 'string' } } },
  errors: [],
  response: object({ subscriptions: arrayOf(subscription), _cursor: listCursor }),
  examples: [
    { summary: 'All subscriptions', query: { page_size: 100 }, response: { subscriptions: [exampleSubscription], _cursor: null } },
  ],
})

/** Deliveries are counted only up to 10,000, so this number means "10,000 or more". */
export const getSubscription = endpoint({
  method: 'get',
  path: '/partners/api/insights/subscriptions/:subscription_id',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Get a subscription with the numbers of its pending, delivered and failed deliveries.',
  errors: ['subscription_not_found'],
  response: object({
    ...subscription.properties,
    deliveries: object({ pending: { type: 'integer' }, delivered: { type: 'integer' }, failed: { type: 'integer' } }),
  }),
  examples: [
    {
      summary: 'One subscription',
      params: exampleParams,
      response: { ...exampleSubscription, deliveries: { pending: 0, delivered: 12, failed: 0 } },
    },
  ],
})

/**
 * Pending deliveries go to the new URL. The id, the signing secret, the status and the deliveries stay. A new URL counts as not failing.
 * Answers 409 `too_many_subscriptions` when all subscriptions that are not disabled would have more than 200 events together.
 */
export const updateSubscription = endpoint({
  method: 'patch',
  path: '/partners/api/insights/subscriptions/:subscription_id',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'subscription.update',
  summary: 'Change the callback URL or the events of a subscription. Pending deliveries go to the new URL.',
  body: object({}, { ...settings, if_unchanged: unchanged(settings) }),
  errors: ['subscription_not_found', 'too_many_subscriptions', 'changed_since_read'],
  response: subscription,
  examples: [
    {
      summary: 'Send the webhooks to another URL',
      params: exampleParams,
      body: { callback_url: 'https://hooks.example.com/onward/v2' },
      response: { ...exampleSubscription, callback_url: 'https://hooks.example.com/onward/v2' },
    },
  ],
})

export const disableSubscription = endpoint({
  method: 'post',
  path: '/partners/api/insights/subscriptions/:subscription_id/disable',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'subscription.disable',
  summary: 'Disable a subscription: nothing more is sent to it. Its pending deliveries fail, and can be replayed once it is enabled.',
  errors: ['subscription_not_found'],
  response: subscription,
  examples: [
    {
      summary: 'Disable a subscription',
      params: exampleParams,
      response: {
        ...exampleSubscription,
        status: 'disabled',
        disabled_reason: 'it was disabled by a request',
        disabled_at: '2026-11-23T08:15:30.000Z',
      },
    },
  ],
})

export const enableSubscription = endpoint({
  method: 'post',
  path: '/partners/api/insights/subscriptions/:subscription_id/enable',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'subscription.enable',
  summary: 'Enable a disabled subscription. Deliveries that were given up stay failed until they are replayed.',
  errors: ['subscription_not_found', 'too_many_subscriptions'],
  response: subscription,
  examples: [{ summary: 'Enable a subscription', params: exampleParams, response: exampleSubscription }],
})

/**
 * While a previous secret is still valid, another rotation replaces only the newest secret. The previous one stays valid until its own time
 * of expiry.
 */
export const rotateSigningSecret = endpoint({
  method: 'post',
  path: '/partners/api/insights/subscriptions/:subscription_id/rotate-secret',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'subscription.rotate-secret',
  summary: 'Create a new signing secret. The previous one signs deliveries too, for up to 24 hours.',
  body: object({}, { keep_previous_hours: { type: 'number', minimum: 0, maximum: 24, default: 24 } }),
  errors: ['subscription_not_found'],
  response: object({
    subscription_id: uuid,
    signing_secret: { type: 'string' },
    previous_valid_until: time,
  }),
  examples: [
    {
      summary: 'The previous secret stays valid for an hour',
      params: exampleParams,
      body: { keep_previous_hours: 1 },
      response: { ...exampleParams, signing_secret: exampleSecret, previous_valid_until: '2026-11-23T09:15:30.000Z' },
    },
  ],
})

export const testSubscription = endpoint({
  method: 'post',
  path: '/partners/api/insights/subscriptions/:subscription_id/test',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'subscription.test',
  summary: 'Send a test delivery with invented figures and the header onward-test: true.',
  errors: ['subscription_not_found', 'subscription_disabled'],
  response: deliveryReference,
  examples: [{ summary: 'Send a test delivery', params: exampleParams, response: exampleReference }],
})
