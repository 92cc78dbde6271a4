import { useQuery } from '@tanstack/react-query'
import { Activity, Blocks, Building2, Gauge, KeyRound, type LucideIcon, Search, SquareFunction, UserRound } from 'lucide-react'
import { functions } from '../api/doors.ts'
import { listApplications, listCatalog } from '../api/endpoints.ts'
import { useMe, useWorkspaceId } from '../api/me.ts'
import { useRead } from '../api/queries.ts'
import { formatPeriod } from '../text/format.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { useNow } from '../ui/media.ts'
import { usePreference } from '../ui/preference.ts'
import { useSettled } from '../ui/use-settled.ts'
import type { Target } from './links.tsx'
import { type Found, lookUp, STATUS } from './look-up.ts'
import { useMenuPages } from './menu.tsx'
import { type Command, useActions, useSettings } from './palette-commands.ts'
import { readWhen } from './read-when.ts'

const { palette: words } = SHELL_WORDS

/** Most options of a group. More letters find the others. */
const MOST = 8
/** A shorter text names too many users. */
const SHORTEST = 2
/** The calls that are shown of a user, an app or a function, without a time. */
const PERIOD = '7d'

const ICONS = { id: Search, user: UserRound, call: Activity, function: SquareFunction } as const

export type PaletteOption = {
  readonly key: string
  readonly label: string
  readonly note?: string
  readonly icon: LucideIcon
  /** The app, or one of its functions, whose logo stands in place of the icon. */
  readonly app?: string
  /** The shortcut that does the same. */
  readonly keys?: readonly string[]
  /** Where it leads, or what it does. */
  readonly does: Target | (() => void)
}

/** `limit bruno`, `raise limit of bruno`: opens the limit of a user. */
const LIMIT_OF = /^(?:(?:set|raise|change)\s+)?limits?\s+(?:of\s+|for\s+)?(\S.*)$/i

type PaletteGroup = { readonly name: string; readonly options: readonly PaletteOption[] }

/** Returns what the palette finds for a text, in groups, and whether more is being looked up. */
export function usePaletteOptions(
  text: string,
  onShortcuts: () => void,
): { groups: readonly PaletteGroup[]; loading: boolean; complete: boolean } {
  const workspaceId = useWorkspaceId()
  const { workspaces } = useMe()
  const pages = useMenuPages()
  const inWorkspace = workspaceId !== ''
  const query = { workspace_id: workspaceId }
  const { data, error } = useRead(functions, listApplications, { query }, { enabled: inWorkspace })
  const catalog = useRead(functions, listCatalog, { query }, { enabled: inWorkspace, freshFor: 60_000 })
  const applications = data?.applications ?? []
  const settings = useSettings(applications)
  const actions = useActions(onShortcuts)
  const when = useWhen(inWorkspace ? text : '')
  const limitOf = inWorkspace ? LIMIT_OF.exec(text)?.[1] : undefined
  const wanted = limitOf ?? (when === undefined || when.rest === '' ? text : when.rest)
  const { found, loading, complete } = useLookUp(wanted, when, data === undefined ? undefined : applications)

  const apps = text === '' ? [] : (catalog.data?.apps ?? []).filter(({ name, title }) => matches(wanted, title, name)).slice(0, MOST)
  const of = (kind: Found['kind']) => found.filter((each) => each.kind === kind)
  const period = when?.period ?? PERIOD
  const callsWith = (label: string, calls: Readonly<Record<string, string>>): PaletteOption => ({
    ...logoOf(calls.app ?? calls.function),
    key: `calls ${JSON.stringify(calls)}`,
    label,
    ...(when !== undefined && { note: when.label }),
    icon: Activity,
    does: { page: 'calls', search: { ...calls, period } },
  })
  const callsOf = (those: readonly Found[]) =>
    those.flatMap(({ label, calls }) => (calls === undefined ? [] : [callsWith(words.callsOf(label), calls)]))
  const optionOf = ({ kind, label, note, app, target }: Found): PaletteOption => ({
    ...logoOf(app),
    key: `${kind} ${JSON.stringify(target)}`,
    label,
    note,
    icon: ICONS[kind],
    does: target,
  })
  const commands = (those: readonly Command[]) =>
    (text === '' ? [] : those)
      .filter(({ label, also }) => matches(text, label, also))
      .slice(0, MOST)
      .map(({ label, icon, does }) => ({ key: `command ${label}`, label, icon, does }))

  const limits: PaletteOption[] =
    limitOf === undefined
      ? []
      : of('user').map(({ label, note, target }) => ({
          key: `limit ${JSON.stringify(target)}`,
          label: words.limitOf(label),
          note,
          icon: Gauge,
          does: { ...target, search: { open: 'limit' } },
        }))

  const ofThatTime = (rest: string): PaletteOption[] =>
    rest === ''
      ? [callsWith(words.allCalls, {})]
      : [
          ...callsOf(of('user')),
          ...apps.map(({ name, title }) => callsWith(words.callsOf(title), { app: name })),
          ...of('call').map(optionOf),
          callsWith(words.callsWith(rest), { q: rest }),
          ...callsOf(of('function')),
        ]
  const groups: PaletteGroup[] = [
    { name: words.calls, options: when === undefined ? [] : ofThatTime(when.rest) },
    {
      name: words.pages,
      options: pages
        .filter(({ name }) => matches(text, SHELL_WORDS.menu[name], SHELL_WORDS.also[name]))
        .map(({ name, icon, key, target }) => ({ key: name, label: SHELL_WORDS.menu[name], icon, keys: ['g', key], does: target })),
    },
    {
      name: words.applications,
      options: applications
        .filter(({ name, app_key }) => matches(text, `${name} ${app_key}`))
        .slice(0, MOST)
        .map(({ name, app_key }) => ({
          key: `application ${app_key}`,
          label: name,
          note: app_key,
          icon: KeyRound,
          does: { page: 'applications', path: encodeURIComponent(app_key) },
        })),
    },
    {
      name: words.apps,
      options: (when === undefined ? apps : []).map(({ name, title }) => ({
        key: `app ${name}`,
        label: title,
        note: name,
        icon: Blocks,
        app: name,
        does: { page: 'catalog', path: encodeURIComponent(name) },
      })),
    },
    { name: words.actions, options: [...limits, ...commands(actions)] },
    { name: words.settings, options: commands(settings) },
    {
      name: words.workspaces,
      options: workspaces
        .filter(({ name, workspace_id }) => workspace_id !== workspaceId && matches(text, `${name} ${workspace_id}`))
        .filter(() => text !== '' || !inWorkspace)
        .slice(0, MOST)
        .map(({ name, workspace_id }) => ({
          key: `workspace ${workspace_id}`,
          label: name,
          note: workspace_id,
          icon: Building2,
          does: { page: 'overview', workspaceId: workspace_id },
        })),
    },
    { name: words.found, options: [...of('id'), ...of('user')].map(optionOf) },
    {
      name: words.calls,
      options:
        when === undefined && limitOf === undefined
          ? [
              ...(inWorkspace && STATUS.test(text) ? [callsWith(words.callsWithStatus(text), { status: text })] : []),
              ...callsOf(of('user')),
              ...of('call').map(optionOf),
            ]
          : [],
    },
    { name: words.functions, options: limitOf === undefined ? of('function').map(optionOf) : [] },
    {
      name: words.search,
      options:
        inWorkspace && text !== ''
          ? [
              { key: 'in calls', label: words.inCalls(text), icon: Search, does: { page: 'calls', search: { q: text } } },
              { key: 'in users', label: words.inUsers(text), icon: Search, does: { page: 'users', search: { search: text } } },
            ]
          : [],
    },
  ]
  return {
    groups: groups.filter(({ options }) => options.length > 0),
    loading,
    complete: complete && error === undefined && catalog.error === undefined,
  }
}

function logoOf(app: string | undefined): { app?: string } {
  return app === undefined ? {} : { app }
}

/** Returns whether each word of a text is in a name, or begins one of its other words. */
function matches(text: string, name: string, also = ''): boolean {
  const others = also.toLowerCase().split(' ')
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.toLowerCase().includes(word) || others.some((other) => other.startsWith(word)))
}

type PaletteTime = NonNullable<ReturnType<typeof readWhen>> & { readonly label: string; readonly period: string }

/** Returns the time in a text, in the zone that is shown. `period` is for the address. */
function useWhen(text: string): PaletteTime | undefined {
  const now = useNow(60_000)
  const [zone] = usePreference('zone')
  const when = readWhen(text, now, zone)
  if (when === undefined) return undefined
  const { since, until } = when
  return { ...when, label: formatPeriod(since, until, now, zone), period: `${since.toISOString()}..${until.toISOString()}` }
}

type LookedUp = { readonly found: readonly Found[]; readonly loading: boolean; readonly complete: boolean }

/** Looks a text up once it has not changed for a moment. */
function useLookUp(
  text: string,
  when: PaletteTime | undefined,
  applications: Parameters<typeof lookUp>[1]['applications'] | undefined,
): LookedUp {
  const workspaceId = useWorkspaceId()
  const asked = JSON.stringify([text, when?.period])
  const settled = useSettled(asked)
  const looks = workspaceId !== '' && text.length >= SHORTEST
  const { data, isError } = useQuery({
    queryKey: ['look-up', workspaceId, asked, applications?.length],
    queryFn: ({ signal }) => lookUp(text, { workspaceId, applications: applications ?? [], when }, signal),
    enabled: looks && settled === asked && applications !== undefined,
    gcTime: 0,
  })
  const current = looks ? data : undefined
  return {
    found: current?.found ?? [],
    loading: looks && current === undefined && !isError,
    complete: !isError && current?.complete !== false,
  }
}
