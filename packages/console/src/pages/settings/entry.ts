import type { AuditEntry } from '@onward/contract'

export type Service = 'functions' | 'insights'

/** An entry of the audit log of one of the services. */
export type Entry = AuditEntry & { readonly service: Service }

/** Returns the time in a UUIDv7; undefined if the text is none. */
export function timeOfId(id: string): Date | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)) return undefined
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
