import { useLocation } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'

/** A list as the reader saw it under an entry of the browser's history. `top` and `active` are where the reader was in it. */
export type Visit = { readonly of: string; readonly id: number; top: number; active: string | undefined }

const visits = new Map<string, Visit>()
let made = 0

/**
 * Returns the visit of a list. Back and Forward return to the visit of their entry of the history, so that the list is where it was. Any other
 * way to a list begins a new visit. `of` names the list with its filters.
 */
export function useVisit(of: string): Visit {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' })
  const current = useRef<Visit | undefined>(undefined)
  return useMemo(() => {
    const key = `${entry} ${of}`
    // Opening a row adds an entry, and stays in the same list.
    const same = current.current?.of === of ? current.current : undefined
    const visit = visits.get(key) ?? same ?? { of, id: ++made, top: 0, active: undefined }
    visits.set(key, visit)
    current.current = visit
    return visit
  }, [entry, of])
}
