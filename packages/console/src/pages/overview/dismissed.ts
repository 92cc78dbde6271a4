import { useState } from 'react'

const KEY = 'onward-setup-dismissed'

/** Returns whether the reader dismissed the steps of a workspace in this browser, and the function that does so. */
export function useDismissed(workspaceId: string): readonly [boolean, () => void] {
  const [dismissed, setDismissed] = useState(() => stored().includes(workspaceId))
  const dismiss = () => {
    setDismissed(true)
    try {
      localStorage.setItem(KEY, JSON.stringify([...new Set([...stored(), workspaceId])]))
    } catch {
      // A browser that forbids storage shows the steps again the next time.
    }
  }
  return [dismissed, dismiss]
}

function stored(): readonly string[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(known) ? known.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
