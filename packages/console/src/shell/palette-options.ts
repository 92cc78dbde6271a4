import { useQuery } from '@tanstack/react-query'
import {
  Activity,
  Blocks,
  Building2,
  CircleSlash,
  Gauge,
  KeyRound,
  type LucideIcon,
  PlugZap,
  Search,
  SquareFunction,
  UserRound,
} from 'lucide-react'
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
import { useOpened } from './opened.ts'
import { type Command, useActions, useSettings } from './palette-commands.ts'
import { useNamed } from './palette-names.ts'
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
  /** A second line. */
  readonly detail?: string
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

/** `suspend bruno`, `end suspension of bruno`: opens the page on which a user is suspended. */
const SUSPENSION_OF = /^(?:(?:un)?suspend|(?:end\s+)?suspension(?:\s+of)?)\s+(\S.*)$/i

/** `connect slack`: makes a link with which a user connects an account of the app. */
const CONNECT_OF = /^connect\s+(?:an?\s+account\s+of\s+)?(\S.*)$/i

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
  const opened = useOpened()
  const appKeys = data?.applications.map(({ app_key }) => app_key)
  const named = useNamed(appKeys, inWorkspace)
  const connectOf = inWorkspace ? CONNECT_OF.exec(text)?.[1] : undefined
  const limitOf = inWorkspace ? LIMIT_OF.exec(text)?.[1] : undefined
  const suspensionOf = inWorkspace ? SUSPENSION_OF.exec(text)?.[1] : undefined
  const ofUser = limitOf ?? suspensionOf
  const wanted = ofUser ?? (when === undefined || when.rest === '' ? text : when.rest)
  const { found, loading, complete } = useLookUp(wanted, when, data === undefined ? undefined : applications)

  const allApps = catalog.data?.apps ?? []
  const appsWith = (name: string) => allApps.filter((app) => matches(name, app.title, app.name)).slice(0, MOST)
  const apps = text === '' ? [] : appsWith(wanted)
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
  const optionOf = ({ kind, label, note, app, target, message }: Found): PaletteOption => ({
    ...logoOf(app),
    ...(message !== undefined && { detail: message }),
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

  const partsOfUsers = (
    [
      [limitOf, 'limit', words.limitOf, Gauge],
      [suspensionOf, 'suspension', words.suspensionOf, CircleSlash],
    ] as const
  ).flatMap(([asked, open, nameOf, icon]) =>
    (asked === undefined ? [] : of('user')).map(
      ({ label, note, target }): PaletteOption => ({
        key: `${open} ${JSON.stringify(target)}`,
        label: nameOf(label),
        note,
        icon,
        does: { ...target, search: { open } },
      }),
    ),
  )

  const connects = (connectOf === undefined ? [] : appsWith(connectOf)).map(
    ({ name, title }): PaletteOption => ({
      key: `connect ${name}`,
      label: words.connectOf(title),
      icon: PlugZap,
      app: name,
      does: { page: 'accounts', search: { open: 'connect', app: name } },
    }),
  )

  const applicationOf = (appKey: string) => applications.find(({ app_key }) => app_key === appKey)
  /** An endpoint, an app or an application that no longer exists is left out. */
  const openedOption = ([page, first = '', second]: (typeof opened)[number]): PaletteOption[] => {
    const app = allApps.find(({ name }) => name === first)
    const shown =
      page === 'users'
        ? second && { label: second, note: words.userOf(applicationOf(first)?.name ?? first), icon: UserRound }
        : page === 'applications'
          ? applicationOf(first) && { label: applicationOf(first)?.name ?? '', note: SHELL_WORDS.application, icon: KeyRound }
          : page === 'catalog'
            ? app && { label: second ?? app.title, note: second === undefined ? first : app.title, icon: Blocks, app: first }
            : named.find(({ does }) => does.page === page && does.path === first)
    const parts = second === undefined ? [first] : [first, second]
    const path = parts.map(encodeURIComponent).join('/')
    return shown ? [{ ...shown, key: `opened ${page} ${path}`, does: { page, path } }] : []
  }

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
  const local: PaletteGroup[] = [
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
    { name: words.actions, options: [...partsOfUsers, ...connects, ...commands(actions)] },
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
    {
      name: words.named,
      options: (text === '' ? [] : named)
        .filter(({ label, note }) => matches(text, label, note))
        .slice(0, MOST)
        .map((each) => ({ ...each, key: `named ${JSON.stringify(each.does)} ${each.label}` })),
    },
  ]
  const best = ({ options }: PaletteGroup) => Math.min(...options.map(({ label }) => rank(text, label)))
  const ranked = local
    .map(({ name, options }) => ({ name, options: options.toSorted((a, b) => rank(text, a.label) - rank(text, b.label)) }))
    .toSorted((a, b) => best(a) - best(b))
  const groups: PaletteGroup[] = [
    { name: words.recent, options: text === '' ? opened.flatMap(openedOption) : [] },
    ...ranked,
    { name: words.found, options: [...of('id'), ...of('user')].map(optionOf) },
    {
      name: words.calls,
      options:
        when === undefined && ofUser === undefined
          ? [
              ...(inWorkspace && STATUS.test(text) ? [callsWith(words.callsWithStatus(text), { status: text })] : []),
              ...callsOf(of('user')),
              ...of('call').map(optionOf),
            ]
          : [],
    },
    { name: words.functions, options: ofUser === undefined ? of('function').map(optionOf) : [] },
    {
      name: words.search,
      // What is found arrives later. Nothing that is shown moves away under the pointer, unless there is nothing else to choose.
      options:
        inWorkspace && text !== '' && (!loading || ranked.every(({ options }) => options.length === 0))
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

/** Orders what matches a text by its label: the same, one that begins with the text, one with its words, one that has other words for it. */
function rank(text: string, label: string): number {
  const [wanted, named] = [text.toLowerCase(), label.toLowerCase()]
  return named === wanted ? 0 : named.startsWith(wanted) ? 1 : matches(text, label) ? 2 : 3
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
