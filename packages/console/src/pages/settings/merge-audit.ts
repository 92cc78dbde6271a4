import type { AuditEntry } from '@onward/contract'

export type Service = 'functions' | 'insights'

/** An entry of the audit log of one of the services. */
export type Entry = AuditEntry & { readonly service: Service }

/** What is left of one audit log. `next` is the cursor of what was not read yet: `''` for the first page, null at the end. */
export type Source = { readonly waiting: readonly Entry[]; readonly next: string | null }

export type Sources = Readonly<Record<Service, Source>>

/**
 * Merges two audit logs, newest first, as far as their order is known: up to the point where one of them must be read on. The ids are
 * UUIDv7, so they sort by time.
 */
export function mergeAudit(sources: Sources): { readonly rows: readonly Entry[]; readonly rest: Sources } {
  const rows: Entry[] = []
  let { functions, insights } = sources
  while (!mustRead(functions) && !mustRead(insights)) {
    const [a] = functions.waiting
    const [b] = insights.waiting
    if (a !== undefined && (b === undefined || a.id > b.id)) {
      rows.push(a)
      functions = { ...functions, waiting: functions.waiting.slice(1) }
    } else if (b !== undefined) {
      rows.push(b)
      insights = { ...insights, waiting: insights.waiting.slice(1) }
    } else break
  }
  return { rows, rest: { functions, insights } }
}

/** Returns whether a log must be read further before its next entry is known. */
export function mustRead({ waiting, next }: Source): boolean {
  return waiting.length === 0 && next !== null
}

/** Returns whether nothing is left to show. */
export function isOver({ functions, insights }: Sources): boolean {
  return [functions, insights].every(({ waiting, next }) => waiting.length === 0 && next === null)
}

/** Returns the time in a UUIDv7; undefined if the text is none. */
export function timeOfId(id: string): Date | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)) return undefined
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
