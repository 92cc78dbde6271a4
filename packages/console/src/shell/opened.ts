import { useEffect } from 'react'
import { useMe, useWorkspaceId } from '../api/me.ts'
import { useAppKey } from './application-filter.tsx'
import { usePage, usePagePath } from './links.tsx'
import type { PageName } from './pages.ts'

const KEPT = 5
const OPENED = 'onward-opened '
const APPLICATION = 'onward-application '

/** Something that was opened: a page of one thing, such as `['users', 'ak_1', 'joe']`. */
type Opened = readonly [page: PageName, ...path: string[]]

/** How many parts of the address name the thing. The others are its tabs. */
const PARTS: Partial<Record<PageName, number>> = { users: 2, applications: 1, catalog: 2, webhooks: 1 }
/** Tabs and forms that stand where other addresses have a name. */
const NOT_NAMES = ['_import', 'csv', 'deliveries', 'limits', 'new', 'replays']

/** Remembers in this tab what is opened, and the application that the page is about, until the tab is closed. */
export function useRememberOpened(): void {
  const key = useKey(OPENED)
  const current = useCurrent()
  useEffect(() => {
    if (current === undefined) return
    const others = readOpened(key).filter((one) => JSON.stringify(one) !== current)
    write(key, [JSON.parse(current), ...others].slice(0, KEPT + 1))
  }, [key, current])
  const applicationKey = useKey(APPLICATION)
  const filtered = useAppKey()
  useEffect(() => {
    const [page, first]: readonly string[] = current === undefined ? [] : JSON.parse(current)
    const appKey = filtered ?? (page === 'applications' || page === 'users' ? first : undefined)
    if (appKey !== undefined) write(applicationKey, appKey)
  }, [applicationKey, filtered, current])
}

/** Returns the application of `appKeys` that a form starts with: of the filter, else the only one, else the last one opened. Empty for none. */
export function useCurrentApplication(appKeys: readonly string[]): string {
  const key = useKey(APPLICATION)
  const filtered = useAppKey()
  const [only] = appKeys.length === 1 ? appKeys : []
  const last = read(key)
  return filtered ?? only ?? appKeys.find((appKey) => appKey === last) ?? ''
}

/** Returns what was opened last in this tab, the newest first, without what is shown. */
export function useOpened(): readonly Opened[] {
  const current = useCurrent()
  return readOpened(useKey(OPENED))
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
function useKey(prefix: string): string {
  return prefix + JSON.stringify([useMe().person.id, useWorkspaceId()])
}

function readOpened(key: string): readonly Opened[] {
  const opened = read(key)
  return Array.isArray(opened) ? opened : []
}

function read(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function write(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // A browser that forbids storage remembers nothing.
  }
}
