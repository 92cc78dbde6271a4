import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { printSort, readSort, type Sort } from '../ui/sort.ts'
import type { Address } from './address.ts'

type Search = Readonly<Record<string, unknown>>

type InAddress<V> = {
  readonly values: V
  /** Parameters that were left out because they are unknown or not valid. */
  readonly dropped: readonly string[]
  /** Key of the open row. */
  readonly open: string | undefined
  /** Changes filters. `replace` while the reader types, so that a word is one step of the back button. */
  set(change: Partial<V>, how?: 'push' | 'replace'): void
  clear(): void
  /** The column that the rows are sorted by. */
  readonly sort: Sort | undefined
  sortBy(sort: Sort | undefined): void
  /** Opens a row, or closes the panel. */
  show(key: string | undefined, how?: 'push' | 'replace'): void
  /** The search parameters of a link that opens a row. */
  searchOf(key: string): Search
}

/** Parameters that a change of filters leaves as they are: the application filter, and the order of the rows. */
const KEPT = ['app_key', 'sort']

/** Reads and writes the filters and the open row of a list in the address. */
export function useAddress<V>(address: Address<V>, panelParameter: string): InAddress<V> {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const others = [...KEPT, 'open', panelParameter]
  // biome-ignore lint/correctness/useExhaustiveDependencies: the values change with the text of the address only
  const values = useMemo(() => address.parse(search), [address, JSON.stringify(search)])
  const open = search[panelParameter]
  const kept = Object.fromEntries(Object.entries(search).filter(([name]) => KEPT.includes(name)))
  const goTo = (next: Search, how: 'push' | 'replace') => {
    void navigate({ to: '.', search: next as never, replace: how === 'replace' })
  }
  const searchOf = (key: string | undefined): Search => ({
    ...kept,
    ...address.print(values),
    ...(key === undefined ? {} : { [panelParameter]: key }),
  })
  return {
    values,
    dropped: address.dropped(search, others),
    open: open === undefined ? undefined : String(open),
    set: (change, how = 'push') => goTo({ ...kept, ...address.print({ ...values, ...change }) }, how),
    clear: () => goTo(kept, 'push'),
    sort: readSort(search.sort),
    sortBy: (sort) => goTo({ ...searchOf(open === undefined ? undefined : String(open)), sort: printSort(sort) }, 'replace'),
    show: (key, how = 'push') => goTo(searchOf(key), how),
    searchOf,
  }
}
