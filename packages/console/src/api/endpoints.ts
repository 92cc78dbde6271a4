import type * as contract from '@onward/contract'
import type { At } from './send.ts'

type Shape = contract.EndpointShape

/** Names an endpoint of the contract. The compiler compares method and path with the contract, of which only the types are loaded. */
function at<E extends Shape>(method: E['method'], path: E['path']): At<E> {
  return { method, path }
}

export const listApplications = at<typeof contract.listApplications>('get', '/admin/applications')
export const readSession: At<Shape> = { method: 'get', path: '/admin/session' }
