import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let code = takeCode()

addEventListener('hashchange', () => setSignInCode(takeCode() ?? code))

/** Returns the code of the one-time link that opened the page or was pasted. It is in no address any more: the import of this module removes it. */
export function useSignInCode(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => code,
  )
}

/** Remembers the code of a link; `undefined` forgets it, because it works only once. */
export function setSignInCode(value: string | undefined): void {
  code = value
  for (const listener of listeners) listener()
}

/** Returns the code of a sign-in link; undefined if the text is none. */
export function codeOf(link: string): string | undefined {
  return /#code=([\w-]{43})$/.exec(link.trim())?.[1]
}

/** The code must not stay in the address, where the history and a copied link would have it. */
function takeCode(): string | undefined {
  const found = codeOf(location.hash)
  if (found !== undefined) history.replaceState(history.state, '', location.pathname + location.search)
  return found
}
