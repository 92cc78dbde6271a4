import { Link, useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BASE_PATH } from '../api/base.ts'
import { useWorkspaceId } from '../api/me.ts'
import { Tabs } from '../ui/page.tsx'
import { PAGES, type PageName } from './pages.ts'
import { pathTo, readPath } from './paths.ts'

/** Search parameters of an address. Those that are undefined are left out. */
export type Search = Readonly<Record<string, string | undefined>>

export type Target = {
  readonly page: PageName
  /** What follows the page, such as `ak_1/keys`. Its parts must be encoded. */
  readonly path?: string | undefined
  readonly search?: Search
  /** Another workspace than the one in the address. */
  readonly workspaceId?: string
}

/** Returns the `path` of a function's page in the catalog. */
export function functionPath(app: string, name: string): string {
  return `${encodeURIComponent(app)}/${encodeURIComponent(name)}`
}

type LinkProps = Target & {
  /** Compares the search parameters too, for links that differ only in them. */
  readonly exactSearch?: boolean
  readonly className?: string | undefined
  readonly title?: string
  readonly 'aria-label'?: string
  readonly onClick?: (() => void) | undefined
  readonly children: ReactNode
}

/** A link to a page of the workspace in the address. It has `aria-current="page"` while it shows where the reader is. */
export function PageLink({ page, path, search = {}, workspaceId, exactSearch = false, children, ...rest }: LinkProps): ReactNode {
  const own = useWorkspaceId()
  const exact = page === 'overview' || path !== undefined || exactSearch
  return (
    <Link
      {...rest}
      to={pathTo({ page, path }, workspaceId ?? own)}
      search={search as never}
      activeOptions={{ exact, includeSearch: exactSearch }}
    >
      {children}
    </Link>
  )
}

type PageTabsProps = {
  page: PageName
  /** Names the tabs for screen readers. */
  label: string
  tabs: readonly (readonly [path: string, text: string])[]
}

/** The tabs of a page, each with its own path. */
export function PageTabs({ page, label, tabs }: PageTabsProps): ReactNode {
  return (
    <Tabs label={label}>
      {tabs.map(([path, text]) => (
        <PageLink key={path} page={page} path={path}>
          {text}
        </PageLink>
      ))}
    </Tabs>
  )
}

/** Returns the tab in the address: the first one if the address has none, undefined for an unknown one. */
export function tabOf<T extends string>([first, ...others]: readonly [T, ...T[]], path: string | undefined): T | undefined {
  return path === undefined ? first : others.find((name) => name === path)
}

/** Returns a function that goes to a page of the workspace in the address. */
export function useGo(): (target: Target, how?: 'push' | 'replace') => void {
  const own = useWorkspaceId()
  const navigate = useNavigate()
  return ({ page, path, search = {}, workspaceId }, how = 'push') => {
    void navigate({ to: pathTo({ page, path }, workspaceId ?? own), search: search as never, replace: how === 'replace' })
  }
}

/** Returns whether a dialog of the page is open, and a function that opens or closes it. It is in the address, so that links can open it. */
export function useDialogInAddress(name: string): readonly [boolean, (open: boolean) => void] {
  const { open } = useSearch({ strict: false }) as { open?: unknown }
  const navigate = useNavigate()
  const change = (opens: boolean) => {
    const search = (before: Record<string, unknown>) => ({ ...before, open: opens ? name : undefined })
    void navigate({ to: '.', search: search as never, replace: true })
  }
  return [open === name, change]
}

/** Returns what follows the page in the address, decoded: `['ak_1', 'keys']` for `/w/acme/applications/ak_1/keys`. */
export function usePagePath(): readonly string[] {
  return readPath(useAddressPath()).rest
}

/** Returns the page in the address; undefined for an unknown one. */
export function usePage(): PageName | undefined {
  const { page } = readPath(useAddressPath())
  return PAGES.find(({ name }) => name === page)?.name
}

/** The address below the base path. Not the router's path, in which an encoded slash is decoded. */
function useAddressPath(): string {
  return useRouterState({ select: ({ location }) => location.publicHref }).slice(BASE_PATH.length - 1)
}
