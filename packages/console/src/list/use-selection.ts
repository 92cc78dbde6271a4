import { useCallback, useEffect, useState } from 'react'

type Selection = {
  readonly selected: ReadonlySet<string>
  /** Adds or removes the keys of rows. */
  select(keys: readonly string[], on: boolean): void
  clear(): void
}

/** The selected rows of a list, by their keys. Another list, which has another `identity`, begins with nothing selected. */
export function useSelection(identity: string): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const clear = useCallback(() => setSelected(new Set()), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what matters is that the list is another one
  useEffect(clear, [identity])
  const select = useCallback(
    (chosen: readonly string[], on: boolean) =>
      setSelected((before) => {
        const after = new Set(before)
        for (const key of chosen) {
          if (on) after.add(key)
          else after.delete(key)
        }
        return after
      }),
    [],
  )
  return { selected, select, clear }
}
