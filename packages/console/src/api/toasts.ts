import { useSyncExternalStore } from 'react'

export type Toast = { readonly id: number; readonly tone: 'good' | 'bad'; readonly text: string }

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a short message at the edge of the page. */
export function toast(text: string, tone: Toast['tone'] = 'good'): void {
  lastId += 1
  change([...toasts, { id: lastId, tone, text }].slice(-3))
}

export function dismissToast(id: number): void {
  change(toasts.filter((each) => each.id !== id))
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
