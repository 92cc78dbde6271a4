import type { PolicyRule } from '@onward/contract'
import { useRef, useState } from 'react'

/** A rule that is being edited. The id stays the same when the rule moves. */
type Item = { readonly id: number; readonly rule: PolicyRule }

export type EditedRules = {
  readonly items: readonly Item[]
  readonly rules: readonly PolicyRule[]
  readonly isChanged: boolean
  /** Whether somebody else stored other rules since the first change. */
  readonly isOutdated: boolean
  /** Whether a field shows what the rules do not have yet. */
  readonly isUnfinished: boolean
  setUnfinished(field: string, unfinished: boolean): void
  /** Adds a rule at the end, and returns its id. */
  add(): number
  change(id: number, rule: PolicyRule): void
  move(id: number, by: 1 | -1): void
  remove(id: number): void
  replace(rules: readonly PolicyRule[]): void
  /** Keeps the changes over the rules that are stored now. */
  keep(): void
  reset(): void
}

/** Keeps what the reader has changed over the stored rules, which may be read again meanwhile. */
export function useRules(stored: readonly PolicyRule[]): EditedRules {
  const [draft, setDraft] = useState<{ readonly items: readonly Item[]; readonly from: string } | undefined>(undefined)
  const [unfinished, setUnfinished] = useState<readonly string[]>([])
  const lastId = useRef(1_000)
  const now = JSON.stringify(stored)
  const items = draft?.items ?? stored.map((rule, id) => ({ id, rule }))
  const rules = items.map(({ rule }) => rule)
  const isChanged = draft !== undefined && JSON.stringify(rules) !== now

  function set(change: (items: readonly Item[]) => readonly Item[]): void {
    setDraft((before) => ({ items: change(before?.items ?? items), from: before?.from ?? now }))
  }
  const nextId = () => {
    lastId.current += 1
    return lastId.current
  }
  return {
    items,
    rules,
    isChanged,
    isOutdated: isChanged && draft.from !== now,
    isUnfinished: unfinished.length > 0,
    setUnfinished(field, isOne) {
      setUnfinished((before) => [...before.filter((each) => each !== field), ...(isOne ? [field] : [])])
    },
    add() {
      const id = nextId()
      set((before) => [...before, { id, rule: { result: 'ask' } }])
      return id
    },
    change: (id, rule) => set((before) => before.map((item) => (item.id === id ? { id, rule } : item))),
    move(id, by) {
      set((before) => {
        const at = before.findIndex((item) => item.id === id)
        const [item, other] = [before[at], before[at + by]]
        return item === undefined || other === undefined ? before : before.with(at, other).with(at + by, item)
      })
    },
    remove: (id) => set((before) => before.filter((item) => item.id !== id)),
    replace: (next) => set(() => next.map((rule) => ({ id: nextId(), rule }))),
    keep: () => setDraft((before) => before && { ...before, from: now }),
    reset: () => setDraft(undefined),
  }
}
