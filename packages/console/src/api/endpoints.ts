import type * as contract from '@onward/contract'
import type { At } from './send.ts'

type Shape = contract.EndpointShape

/** Names an endpoint of the contract. Only the types of the contract are imported, and the compiler compares method and path with them. */
function at<E extends Shape>(method: E['method'], path: E['path']): At<E> {
  return { method, path }
}

export const listApplications = at<typeof contract.listApplications>('get', '/admin/applications')
export const readSession = at<typeof contract.readSession>('get', '/admin/session')
