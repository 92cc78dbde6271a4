import { useEffect } from 'react'
import { useMe, useWorkspaceId } from '../api/me.ts'
import { usePage, usePagePath } from './links.tsx'
import type { PageName } from './pages.ts'

const KEPT = 5
const PREFIX = 'onward-opened '

/** Something that was opened: a page of one thing, such as `['users', 'ak_1', 'joe']`. */
type Opened = readonly [page: PageName, ...path: string[]]

/** How many parts of the address name the thing. The others are its tabs. */
const PARTS: Partial<Record<PageName, number>> = { users: 2, applications: 1, catalog: 2, webhooks: 1 }
/** Tabs and forms that stand where other addresses have a name. */
const NOT_NAMES = ['_import', 'csv', 'deliveries', 'limits', 'new', 'replays']

/** Remembers in this tab what is opened, until it is closed. */
export function useRememberOpened(): void {
  const key = useKey()
  const current = useCurrent()
  useEffect(() => {
    if (current === undefined) return
    const others = read(key).filter((one) => JSON.stringify(one) !== current)
    try {
      sessionStorage.setItem(key, JSON.stringify([JSON.parse(current), ...others].slice(0, KEPT + 1)))
    } catch {
      // A browser that forbids storage shows no recent ones.
    }
  }, [key, current])
}

/** Returns what was opened last in this tab, the newest first, without what is shown. */
export function useOpened(): readonly Opened[] {
  const current = useCurrent()
  return read(useKey())
    .filter((one) => JSON.stringify(one) !== current)
    .slice(0, KEPT)
}

/** Returns what the address shows, as JSON; undefined for a list or a form. */
function useCurrent(): string | undefined {
  const page = usePage()
  const [first, ...rest] = usePagePath()
  const parts = page === undefined ? undefined : PARTS[page]
  if (parts === undefined || first === undefined || NOT_NAMES.includes(first)) return undefined
  return JSON.stringify([page, first, ...rest].slice(0, parts + 1))
}

/** Keeps it from somebody else who signs in later. */
function useKey(): string {
  return PREFIX + JSON.stringify([useMe().person.id, useWorkspaceId()])
}

function read(key: string): readonly Opened[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]')
  } catch {
    return []
  }
}
