import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let code = takeCode()

addEventListener('hashchange', () => {
  code = takeCode() ?? code
  for (const listener of listeners) listener()
})

/** Returns the code of the one-time link that opened the page. It is in no address any more: the import of this module removes it. */
export function useSignInCode(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => code,
  )
}

/** Forgets the code, which works only once. */
export function forgetSignInCode(): void {
  code = undefined
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
