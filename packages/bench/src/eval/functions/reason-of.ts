import { OnwardError } from '@onward/client'

/** What failed, in a line; of a refusal with its details. */
export function reasonOf(err: unknown): string {
  const { message } = err as Error
  return err instanceof OnwardError ? [`${err.status} ${message}`, ...err.details].join('; ') : message
}
