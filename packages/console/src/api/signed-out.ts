import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let signedOut = false

/** Remembers whether the session has ended, so that the sign-in dialog opens over the page or closes. */
export function setSignedOut(value: boolean): void {
  if (signedOut === value) return
  signedOut = value
  for (const listener of listeners) listener()
}

/** Returns whether the session has ended while the page was open. */
export function useSignedOut(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => signedOut,
  )
}
