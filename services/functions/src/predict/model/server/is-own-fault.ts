import type { ModelError } from './model-error.ts'

const STATUSES: readonly (number | undefined)[] = [400, 413, 422]

/** Whether the server refused a request for what is in it, which says nothing about the server. */
export function isOwnFault({ status }: ModelError): boolean {
  return STATUSES.includes(status)
}
