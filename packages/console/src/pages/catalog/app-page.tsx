import { Blocks } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { functions } from '../../api/doors.ts'
import { readCallStatistics, readCatalogApp } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { lastDayOf } from '../../parts/last-day.ts'
import { AppLogo } from '../../shell/app-logo.tsx'
import { PageLink, PageTabs } from '../../shell/links.tsx'
import { formatDuration, formatNumber } from '../../text/format.ts'
import { Tag } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Spark } from '../../ui/chart/spark.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Figure, Figures, Num } from '../../ui/number.tsx'
import { Page } from '../../ui/page.tsx'
import { Failure, Group } from '../../ui/section.tsx'
import { Lines, Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import styles from './catalog.module.css'
import { Danger } from './danger.tsx'
import { Functions } from './functions.tsx'
import { SignIn } from './sign-in.tsx'
import type { AppDetail, Statistics } from './types.ts'
import { CATALOG } from './words.ts'

const { rejected } = CATALOG

type RejectedFunction = AppDetail['rejected'][number]

const REJECTED_COLUMNS: readonly Column<RejectedFunction>[] = [
  { id: 'function', head: rejected.function, width: 320, phone: 'title', cell: ({ function: name }) => <code>{name}</code> },
  {
    id: 'problems',
    head: rejected.problems,
    width: 'grow',
    phone: 'line',
    cell: ({ problems }) => (
      <ul className={styles.problems}>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    ),
  },
]

/** The first one has the address of the app. */
export const TABS = ['functions', 'sign-in', 'rejected'] as const

/** One app, in tabs that each have an address. */
export function AppPage({ name, tab }: { name: string; tab: (typeof TABS)[number] }): ReactNode {
  const workspaceId = useWorkspaceId()
  const app = useRead(functions, readCatalogApp, { params: { app: name }, query: { workspace_id: workspaceId } })
  const statistics = useRead(functions, readCallStatistics, { query: { workspace_id: workspaceId, app: name, by: 'function_name' } })
  const path = encodeURIComponent(name)
  const { data, error } = app
  const back = <PageLink page="catalog">{CATALOG.title}</PageLink>
  if (data === undefined) {
    return (
      <Page title={name} path={[back]}>
        {error === undefined ? (
          <Skeleton>
            <Lines count={6} />
          </Skeleton>
        ) : error.code === 'app_not_found' ? (
          <Empty
            icon={<Blocks />}
            title={CATALOG.notThere}
            help={CATALOG.notThereHelp}
            action={
              <PageLink page="catalog" className={buttonClass()}>
                {CATALOG.back}
              </PageLink>
            }
          />
        ) : (
          <Failure title={name} error={error} busy={app.loading} retry={app.retry} />
        )}
      </Page>
    )
  }
  return (
    <Page
      title={data.title}
      logo={<AppLogo app={name} title={data.title} size={32} />}
      path={[back]}
      badge={<Tag>{CATALOG.sources[data.source]}</Tag>}
      actions={
        <>
          <PageLink page="accounts" search={{ app: name }} className={buttonClass()}>
            {CATALOG.accountsLink}
          </PageLink>
          <PageLink page="calls" search={{ app: name }} className={buttonClass()}>
            {CATALOG.callsLink}
          </PageLink>
        </>
      }
      tabs={
        <PageTabs
          page="catalog"
          label={CATALOG.tabsLabel}
          tabs={[
            [path, CATALOG.tabs.functions],
            [`${path}/sign-in`, CATALOG.tabs.signIn],
            ...(data.rejected.length > 0
              ? [[`${path}/rejected`, `${CATALOG.tabs.rejected} (${formatNumber(data.rejected.length)})`] as const]
              : []),
          ]}
        />
      }
    >
      {error !== undefined && <Failure title={data.title} error={error} stale busy={app.loading} retry={app.retry} />}
      {tab === 'functions' && <Overview app={data} statistics={statistics.data} />}
      {tab === 'functions' && <Functions app={data} hours={statistics.data?.hours ?? []} />}
      {tab === 'sign-in' && <SignIn app={data} />}
      {tab === 'rejected' && <Rejected app={data} />}
      {tab === 'functions' && data.source === 'imported' && <Danger app={data} />}
    </Page>
  )
}

function Overview({ app, statistics }: { app: AppDetail; statistics: Statistics | undefined }): ReactNode {
  const { figures } = CATALOG
  const calls = useMemo(() => lastDayOf(statistics?.hours ?? [], new Date()), [statistics])
  const total = useRead(functions, readCallStatistics, { query: { workspace_id: useWorkspaceId(), app: app.name } })
  const p95 = total.data?.totals[0]?.p95_ms
  return (
    <Figures>
      <Figure name={figures.functions} value={<Num value={app.functions.length} />} />
      <Figure
        name={figures.accounts}
        value={
          <PageLink page="accounts" search={{ app: app.name }}>
            {formatNumber(app.connected_accounts)}
          </PageLink>
        }
        note={app.broken_accounts > 0 ? figures.broken(formatNumber(app.broken_accounts)) : figures.noneBroken}
      />
      <Figure
        name={figures.calls}
        value={
          <PageLink page="calls" search={{ app: app.name }}>
            {formatNumber(calls.allCalls)}
          </PageLink>
        }
        note={figures.failed(formatNumber(calls.allFailed))}
      >
        {calls.allCalls > 0 && <Spark label={figures.calls} values={calls.calls} failed={calls.failed} width={140} />}
      </Figure>
      <Figure name={figures.p95} value={p95 == null ? <Num value={null} /> : formatDuration(p95)} note={figures.p95Note} />
    </Figures>
  )
}

/** The functions that are left out of the catalog, with the reasons. */
function Rejected({ app }: { app: AppDetail }): ReactNode {
  if (app.rejected.length === 0) return <Empty title={rejected.none} help={rejected.noneHelp} />
  return (
    <Group title={rejected.title} about={rejected.about}>
      <Table caption={rejected.title} columns={REJECTED_COLUMNS} rows={app.rejected} rowKey={({ function: name }) => name} />
    </Group>
  )
}
