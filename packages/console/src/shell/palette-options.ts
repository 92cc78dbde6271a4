import { useQuery } from '@tanstack/react-query'
import { Building2, KeyRound, type LucideIcon, Search } from 'lucide-react'
import { functions } from '../api/doors.ts'
import { listApplications } from '../api/endpoints.ts'
import { useMe, useWorkspaceId } from '../api/me.ts'
import { useRead } from '../api/queries.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { useSettled } from '../ui/use-settled.ts'
import type { Target } from './links.tsx'
import { lookUp } from './look-up.ts'
import { useMenuPages } from './menu.tsx'
import { PAGES } from './pages.ts'

const { palette: words } = SHELL_WORDS

/** Most options of a group. More letters find the others. */
const MOST = 8
/** A shorter text names too many users. */
const SHORTEST = 2

export type PaletteOption = {
  readonly key: string
  readonly label: string
  readonly note?: string
  readonly icon: LucideIcon
  /** The shortcut that does the same. */
  readonly keys?: readonly string[]
  readonly target: Target
}

type PaletteGroup = { readonly name: string; readonly options: readonly PaletteOption[] }

/** Returns where the palette can go for a text, in groups, and whether more is being looked up. */
export function usePaletteOptions(text: string): { groups: readonly PaletteGroup[]; loading: boolean; complete: boolean } {
  const workspaceId = useWorkspaceId()
  const { workspaces } = useMe()
  const pages = useMenuPages()
  const inWorkspace = workspaceId !== ''
  const { data } = useRead(functions, listApplications, { query: { workspace_id: workspaceId } }, { enabled: inWorkspace })
  const applications = data?.applications ?? []
  const settled = useSettled(text)
  const looks = inWorkspace && text.length >= SHORTEST
  const lookedUp = useQuery({
    queryKey: ['look-up', workspaceId, settled, applications.length],
    queryFn: ({ signal }) => lookUp(settled, { workspaceId, applications }, signal),
    enabled: looks && settled.length >= SHORTEST && data !== undefined,
    gcTime: 0,
  })
  const current = looks && settled === text ? lookedUp.data : undefined
  const wanted = text.toLowerCase()
  const names = (...texts: string[]) => texts.some((each) => each.toLowerCase().includes(wanted))

  const groups: PaletteGroup[] = [
    {
      name: words.pages,
      options: pages
        .filter(({ name }) => names(SHELL_WORDS.menu[name]))
        .map(({ name, icon, key, target }) => ({ key: name, label: SHELL_WORDS.menu[name], icon, keys: ['g', key], target })),
    },
    {
      name: words.applications,
      options: applications
        .filter(({ name, app_key }) => names(name, app_key))
        .slice(0, MOST)
        .map(({ name, app_key }) => ({
          key: `application ${app_key}`,
          label: name,
          note: app_key,
          icon: KeyRound,
          target: { page: 'applications', path: encodeURIComponent(app_key) },
        })),
    },
    {
      name: words.workspaces,
      options: workspaces
        .filter(({ name, workspace_id }) => workspace_id !== workspaceId && names(name, workspace_id) && (text !== '' || !inWorkspace))
        .slice(0, MOST)
        .map(({ name, workspace_id }) => ({
          key: `workspace ${workspace_id}`,
          label: name,
          note: workspace_id,
          icon: Building2,
          target: { page: 'overview', workspaceId: workspace_id },
        })),
    },
    {
      name: words.found,
      options: (current?.found ?? []).map(({ label, note, page, target }, at) => ({
        key: `found ${at}`,
        label,
        note,
        icon: PAGES.find(({ name }) => name === page)?.icon ?? Search,
        target,
      })),
    },
    {
      name: words.search,
      options:
        inWorkspace && text !== ''
          ? [
              { key: 'in calls', label: words.inCalls(text), icon: Search, target: { page: 'calls', search: { q: text } } },
              { key: 'in users', label: words.inUsers(text), icon: Search, target: { page: 'users', search: { search: text } } },
            ]
          : [],
    },
  ]
  return {
    groups: groups.filter(({ options }) => options.length > 0),
    loading: looks && current === undefined && !lookedUp.isError,
    complete: !lookedUp.isError && current?.complete !== false,
  }
}
