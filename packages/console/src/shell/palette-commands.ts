import {
  Activity,
  BookOpen,
  CircleSlash,
  FileInput,
  FileSpreadsheet,
  Gauge,
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  PlugZap,
  Plus,
  RotateCcw,
  Rows3,
  Settings,
  SunMoon,
  UserPlus,
} from 'lucide-react'
import { BASE_PATH } from '../api/base.ts'
import { useMe, useWorkspaceId } from '../api/me.ts'
import { signOut } from '../api/send.ts'
import { toast } from '../api/toasts.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { usePreference } from '../ui/preference.ts'
import type { Target } from './links.tsx'

const { commands: words } = SHELL_WORDS

/** What the palette can do or open by its name. `also` has other words for it. */
export type Command = {
  readonly label: string
  readonly also?: string
  readonly icon: LucideIcon
  readonly does: Target | (() => void)
}

/** Returns the parts of the settings and of other pages that have an address. */
export function useSettings(applications: readonly { readonly app_key: string; readonly name: string }[]): readonly Command[] {
  const { operator } = useMe()
  const inWorkspace = useWorkspaceId() !== ''
  const to = (label: string, page: Target['page'], path: string, also?: string, icon = Settings): Command => ({
    label,
    icon,
    does: { page, path },
    ...(also !== undefined && { also }),
  })
  return [
    ...(inWorkspace
      ? [
          to(words.workspace, 'settings', '', words.workspaceAlso),
          to(words.members, 'people', '', words.membersAlso, UserPlus),
          to(words.sessions, 'settings', 'sessions', words.sessionsAlso),
          to(words.singleSignOn, 'settings', 'sso', words.singleSignOnAlso),
          to(words.audit, 'settings', 'audit', words.auditAlso),
          to(words.limits, 'users', 'limits', words.limitsAlso, Gauge),
          to(words.csv, 'users', 'csv', words.limitsAlso, FileSpreadsheet),
          to(words.replays, 'webhooks', 'replays', words.replaysAlso, RotateCcw),
          ...applications.flatMap(({ app_key, name }) =>
            (['keys', 'snippets', 'rules', 'settings', 'suspension'] as const).map(
              (tab): Command => ({
                label: words.ofApplication[tab](name),
                also: words.applicationAlso[tab],
                icon: KeyRound,
                does:
                  tab === 'rules'
                    ? { page: 'rules', search: { app_key } }
                    : tab === 'suspension'
                      ? { page: 'applications', path: `${encodeURIComponent(app_key)}/settings`, search: { open: tab } }
                      : { page: 'applications', path: `${encodeURIComponent(app_key)}/${tab}` },
              }),
            ),
          ),
        ]
      : []),
    ...(operator
      ? (['workspaces', 'quarantine', 'repair', 'maintenance'] as const).map((tab) =>
          to(words.system[tab], 'system', tab, words.systemAlso),
        )
      : []),
  ]
}

/** Returns what the palette can do. The dialogs of pages are opened by the address. */
export function useActions(onShortcuts: () => void): readonly Command[] {
  const inWorkspace = useWorkspaceId() !== ''
  const [, setTheme] = usePreference('theme')
  const [density, setDensity] = usePreference('density')
  const [zone, setZone] = usePreference('zone')
  const open = (page: Target['page'], path: string | undefined, dialog: string): Target => ({ page, path, search: { open: dialog } })
  const [otherDensity, otherZone] = [density === 'compact' ? 'normal' : 'compact', zone === 'UTC' ? 'local' : 'UTC'] as const
  const leave = () => {
    // A new document has nothing of the old session in its memory.
    void signOut().then(
      () => location.assign(BASE_PATH),
      (err: Error) => toast(err.message, 'bad'),
    )
  }
  return [
    ...(inWorkspace
      ? ([
          { label: words.failed, also: words.failedAlso, icon: Activity, does: { page: 'calls', search: { failed: '1' } } },
          { label: words.suspended, also: words.suspendedAlso, icon: CircleSlash, does: { page: 'users', search: { state: 'suspended' } } },
          { label: words.newApplication, also: words.newAlso, icon: Plus, does: open('applications', undefined, 'new') },
          { label: words.importApp, also: words.importAlso, icon: FileInput, does: { page: 'catalog', path: '_import' } },
          { label: words.connect, also: words.connectAlso, icon: PlugZap, does: open('accounts', undefined, 'connect') },
          { label: words.subscribe, also: words.subscribeAlso, icon: Plus, does: { page: 'webhooks', path: 'new' } },
          { label: words.invite, also: words.inviteAlso, icon: UserPlus, does: open('people', undefined, 'invite') },
          { label: words.newKey, also: words.newAlso, icon: KeyRound, does: open('settings', undefined, 'key') },
          { label: words.newToken, also: words.newAlso, icon: KeyRound, does: open('settings', 'sessions', 'token') },
        ] satisfies Command[])
      : []),
    ...(['light', 'dark', 'system'] as const).map(
      (theme): Command => ({ label: words.themes[theme], also: SHELL_WORDS.appearance, icon: SunMoon, does: () => setTheme(theme) }),
    ),
    { label: words.densities[otherDensity], also: SHELL_WORDS.appearance, icon: Rows3, does: () => setDensity(otherDensity) },
    { label: words.zones[otherZone], also: words.zonesAlso, icon: SunMoon, does: () => setZone(otherZone) },
    { label: SHELL_WORDS.shortcuts.title, icon: Keyboard, does: onShortcuts },
    {
      label: SHELL_WORDS.help,
      also: words.helpAlso,
      icon: BookOpen,
      does: () => void window.open(`${BASE_PATH}../docs`, '_blank', 'noreferrer'),
    },
    { label: SHELL_WORDS.signOut, also: words.signOutAlso, icon: LogOut, does: leave },
  ]
}
