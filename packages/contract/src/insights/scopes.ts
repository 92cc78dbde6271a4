import type { EndpointShape } from '../endpoint.ts'
import { listDeliveries, replayDelivery } from './deliveries.ts'
import { createEmbedSession, endEmbedSession, endEmbedSessions } from './embed-sessions.ts'
import { getUserTaskHistory } from './history.ts'
import { createListener, reportAttempt, takeDeliveries } from './listeners.ts'
import {
  createSubscription,
  deleteSubscription,
  disableSubscription,
  enableSubscription,
  getSubscription,
  listSubscriptions,
  rotateSigningSecret,
  testSubscription,
  updateSubscription,
} from './subscriptions.ts'
import { getUserTasks, listUserTasks, setAllLimits, setDefaultLimit, setUserLimits } from './tasks.ts'

/**
 * What an API key of area B may do, with the endpoints that need the scope. `accounts` has none: `createEmbedSession` needs it too for a page
 * with the connected accounts of a user, which belong to area A.
 */
export const SCOPE_ENDPOINTS = {
  usage: [getUserTasks, getUserTaskHistory, listUserTasks],
  limits: [setUserLimits, setDefaultLimit, setAllLimits],
  webhooks: [
    createSubscription,
    listSubscriptions,
    getSubscription,
    updateSubscription,
    deleteSubscription,
    disableSubscription,
    enableSubscription,
    rotateSigningSecret,
    testSubscription,
    listDeliveries,
    replayDelivery,
    createListener,
    takeDeliveries,
    reportAttempt,
  ],
  embed: [createEmbedSession, endEmbedSession, endEmbedSessions],
  accounts: [],
} as const satisfies Readonly<Record<string, readonly EndpointShape[]>>

export type ApiKeyScope = keyof typeof SCOPE_ENDPOINTS

export const API_KEY_SCOPES = Object.keys(SCOPE_ENDPOINTS) as ApiKeyScope[]

/** The scopes of the key that is made with a workspace: all that stay within area B. */
export const DEFAULT_SCOPES: readonly ApiKeyScope[] = ['usage', 'limits', 'webhooks', 'embed']

const SCOPES = new Map<EndpointShape, ApiKeyScope>(
  API_KEY_SCOPES.flatMap((scope) => SCOPE_ENDPOINTS[scope].map((each) => [each, scope] as const)),
)

/** Returns the scope that an endpoint of area B needs; undefined for any other endpoint. */
export function scopeOf(endpoint: EndpointShape): ApiKeyScope | undefined {
  return SCOPES.get(endpoint)
}
