import { useEffect, useState } from 'react'

const SETTLED_MS = 250

/** Returns a value once it has not changed for a moment, so that not every key sends a request. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
