import { HOUR_MS } from '@onward/contract/pure'
import { Blocks, FileInput } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { functions } from '../../api/doors.ts'
import { listCatalog, readCallStatistics } from '../../api/endpoints.ts'
import { useMe, useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { send } from '../../api/send.ts'
import { defineAddress, type Values } from '../../list/address.ts'
import type { ListOf } from '../../list/list-of.ts'
import { ListPage } from '../../list/list-page.tsx'
import { type LastDay, lastDayByKey } from '../../parts/last-day.ts'
import { AppLogo } from '../../shell/app-logo.tsx'
import { useGo } from '../../shell/links.tsx'
import { pathTo } from '../../shell/paths.ts'
import { Tag } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Num } from '../../ui/number.tsx'
import { Named } from '../../ui/page.tsx'
import type { ExportedColumn } from '../../ui/table.tsx'
import styles from './catalog.module.css'
import { HealthSpark } from './health-spark.tsx'
import type { AppItem } from './types.ts'
import { CATALOG } from './words.ts'

const SHOWS = ['connected', 'broken', 'failing', 'rejected'] as const
const FIELDS = {
  q: { kind: 'text', label: CATALOG.search, search: true, placeholder: CATALOG.search },
  source: { kind: 'enum', label: CATALOG.columns.source, values: ['built_in', 'imported'], names: CATALOG.sources },
  show: { kind: 'enum', label: CATALOG.show, values: SHOWS, names: CATALOG.shows },
} as const
const ADDRESS = defineAddress(FIELDS)
type Filters = Values<typeof FIELDS>

/** The period of the health does not move with each drawing of the page. */
const since = () => new Date(Math.floor(Date.now() / HOUR_MS - 23) * HOUR_MS).toISOString()

/** All apps, with the health of their calls, which one request reads for all. */
export function AppList(): ReactNode {
  const workspaceId = useWorkspaceId()
  const { operator } = useMe()
  const go = useGo()
  const from = useMemo(since, [])
  const statistics = useRead(functions, readCallStatistics, { query: { workspace_id: workspaceId, by: 'app', since: from } })
  const health = useMemo(() => lastDayByKey(statistics.data?.hours ?? [], new Date()), [statistics.data])
  const list = useMemo(() => listOf(workspaceId, health), [workspaceId, health])
  return (
    <ListPage
      list={list}
      actions={
        <Button
          icon={<FileInput />}
          why={operator ? undefined : CATALOG.operatorOnly}
          onClick={() => go({ page: 'catalog', path: '_import' })}
        >
          {CATALOG.import}
        </Button>
      }
    />
  )
}

function listOf(workspaceId: string, health: ReadonlyMap<string, LastDay>): ListOf<AppItem, Filters> {
  return {
    name: 'catalog',
    scope: [workspaceId],
    title: CATALOG.title,
    about: CATALOG.about,
    address: ADDRESS,
    columns: columnsOf(health),
    rowKey: ({ name }) => name,
    async load(values, _cursor, signal) {
      const { apps } = await send(functions, listCatalog, { query: { workspace_id: workspaceId }, signal })
      return { rows: apps.filter((app) => isWanted(app, values, health.get(app.name))), next: null }
    },
    href: ({ name }) => pathTo({ page: 'catalog', path: encodeURIComponent(name) }, workspaceId),
    empty: { icon: <Blocks />, title: CATALOG.empty, help: CATALOG.emptyHelp },
  }
}

function isWanted(app: AppItem, { q, source, show }: Filters, health: LastDay | undefined): boolean {
  const text = q?.trim().toLowerCase() ?? ''
  if (!`${app.title}\n${app.name}`.toLowerCase().includes(text)) return false
  if (source !== undefined && app.source !== source) return false
  const holds: Readonly<Record<(typeof SHOWS)[number], boolean>> = {
    connected: app.connected_accounts > 0,
    broken: app.broken_accounts > 0,
    failing: (health?.allFailed ?? 0) > 0,
    rejected: app.rejected > 0,
  }
  return show === undefined || holds[show]
}

function columnsOf(health: ReadonlyMap<string, LastDay>): readonly ExportedColumn<AppItem>[] {
  const { columns } = CATALOG
  return [
    {
      id: 'app',
      head: columns.app,
      width: 'grow',
      phone: 'title',
      cell: ({ name, title }) => (
        <Named logo={<AppLogo app={name} title={title} />}>
          <strong className={styles.appName}>{title}</strong>
        </Named>
      ),
      text: ({ name }) => name,
    },
    {
      id: 'auth',
      head: columns.auth,
      width: 216,
      phone: 'hide',
      cell: ({ auth }) => <span className={styles.muted}>{auth.map((type) => CATALOG.auth[type] ?? type).join(', ')}</span>,
      text: ({ auth }) => auth.join(' '),
    },
    {
      id: 'functions',
      head: columns.functions,
      width: 92,
      align: 'end',
      phone: 'named',
      cell: ({ functions: count }) => <Num value={count} />,
      text: ({ functions: count }) => String(count),
    },
    {
      id: 'connected_accounts',
      head: columns.accounts,
      width: 92,
      align: 'end',
      phone: 'named',
      cell: ({ connected_accounts: count }) => <Num value={count === 0 ? null : count} />,
      text: ({ connected_accounts: count }) => String(count),
    },
    {
      id: 'broken_accounts',
      head: columns.broken,
      width: 96,
      align: 'end',
      phone: 'named',
      cell: ({ broken_accounts: count }) => (
        <span className={count > 0 ? styles.failed : undefined}>
          <Num value={count === 0 ? null : count} />
        </span>
      ),
      text: ({ broken_accounts: count }) => String(count),
    },
    {
      id: 'calls_24h',
      head: columns.health,
      width: 224,
      phone: 'hide',
      cell: ({ name }) => <HealthSpark health={health.get(name)} />,
      text: ({ name }) => String(health.get(name)?.allCalls ?? 0),
    },
    {
      id: 'source',
      head: columns.source,
      width: 104,
      phone: 'line',
      cell: ({ source }) =>
        source === 'imported' ? <Tag>{CATALOG.sources.imported}</Tag> : <span className={styles.muted}>{CATALOG.sources.built_in}</span>,
      text: ({ source }) => source,
    },
  ]
}
