import {
  Activity,
  Blocks,
  Bot,
  ChartNoAxesColumn,
  KeyRound,
  type LucideIcon,
  Play,
  PlugZap,
  Scale,
  Server,
  Settings,
  ShieldCheck,
  Users,
  UsersRound,
  Webhook,
} from 'lucide-react'

/** An entry of the menu. Its label is `SHELL_WORDS.menu[name]`. */
export type PageEntry = {
  readonly name: keyof typeof ICONS
  readonly icon: LucideIcon
  /** After `g`, this key goes to the page. */
  readonly key: string
  /** Entries of a group stand below its name. */
  readonly group: 'top' | 'build' | 'run' | 'end'
  /** The application filter of the top bar applies to the page. */
  readonly filtered: boolean
  /** False while the page has no content, and is therefore not in the menu. */
  readonly inMenu: boolean
}

const ICONS = {
  overview: ChartNoAxesColumn,
  applications: KeyRound,
  catalog: Blocks,
  playground: Play,
  calls: Activity,
  users: Users,
  accounts: PlugZap,
  rules: Scale,
  approvals: ShieldCheck,
  agents: Bot,
  webhooks: Webhook,
  people: UsersRound,
  settings: Settings,
  system: Server,
}

/** All pages of the frame in the order of the menu. `system` is for operators and belongs to no workspace. */
export const PAGES: readonly PageEntry[] = [
  { name: 'overview', icon: ICONS.overview, key: 'o', group: 'top', filtered: true, inMenu: true },
  { name: 'applications', icon: ICONS.applications, key: 'a', group: 'build', filtered: false, inMenu: true },
  { name: 'catalog', icon: ICONS.catalog, key: 't', group: 'build', filtered: false, inMenu: true },
  { name: 'playground', icon: ICONS.playground, key: 'p', group: 'build', filtered: false, inMenu: true },
  { name: 'calls', icon: ICONS.calls, key: 'c', group: 'run', filtered: true, inMenu: true },
  { name: 'users', icon: ICONS.users, key: 'u', group: 'run', filtered: true, inMenu: true },
  { name: 'accounts', icon: ICONS.accounts, key: 'n', group: 'run', filtered: true, inMenu: true },
  { name: 'rules', icon: ICONS.rules, key: 'r', group: 'run', filtered: true, inMenu: true },
  { name: 'approvals', icon: ICONS.approvals, key: 'v', group: 'run', filtered: true, inMenu: true },
  { name: 'agents', icon: ICONS.agents, key: 'm', group: 'run', filtered: true, inMenu: true },
  { name: 'webhooks', icon: ICONS.webhooks, key: 'w', group: 'run', filtered: true, inMenu: true },
  { name: 'people', icon: ICONS.people, key: 'e', group: 'end', filtered: false, inMenu: true },
  { name: 'settings', icon: ICONS.settings, key: 's', group: 'end', filtered: false, inMenu: true },
  { name: 'system', icon: ICONS.system, key: 'y', group: 'end', filtered: false, inMenu: true },
]

export type PageName = PageEntry['name']
