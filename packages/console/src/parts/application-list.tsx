import { type ReactNode, useMemo } from 'react'
import { functions } from '../api/doors.ts'
import { listApplications } from '../api/endpoints.ts'
import { useWorkspaceId } from '../api/me.ts'
import { type Reading, useRead } from '../api/queries.ts'
import type { ListOf } from '../list/list-of.ts'
import { ListPage } from '../list/list-page.tsx'
import { useAppKey } from '../shell/application-filter.tsx'
import { PageLink } from '../shell/links.tsx'
import { WORDS } from '../text/words.ts'
import { buttonClass } from '../ui/button.tsx'
import { Empty, type EmptyText } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { Failure } from '../ui/section.tsx'
import { type ExportedColumn, TableSkeleton } from '../ui/table.tsx'

/** What a page says in a workspace without applications. `help` says what the page needs one for. */
export function noApplications(help: string, icon?: ReactNode): EmptyText {
  return {
    icon,
    title: WORDS.applications.none,
    help,
    action: (
      <PageLink page="applications" className={buttonClass('accent')}>
        {WORDS.applications.goThere}
      </PageLink>
    ),
  }
}

export type ApplicationName = readonly [appKey: string, name: string]

/** Reads the App-Keys and names of the applications of the workspace. */
export function useApplicationNames(): Reading<readonly ApplicationName[]> {
  const reading = useRead(functions, listApplications, { query: { workspace_id: useWorkspaceId() } })
  return { ...reading, data: reading.data?.applications.map(({ app_key, name }) => [app_key, name]) }
}

type OneRow = { readonly app_key: string }

type ApplicationListProps<Row extends OneRow, V> = {
  title: string
  about: string
  icon: ReactNode
  /** What the page says in a workspace without applications. */
  help: string
  applications: Reading<readonly ApplicationName[]>
  columns: readonly ExportedColumn<Row>[]
  /** After how many columns the column of the application stands, if there are several. */
  place: number
  /** Returns the list of some applications. */
  listOf(keys: readonly string[], nameOf: (appKey: string) => string): Omit<ListOf<Row, V>, 'scope' | 'title' | 'about' | 'columns'>
  actions?: ReactNode
}

/** A list of the application of the filter, or of all applications, one after the other. */
export function ApplicationList<Row extends OneRow, V>(props: ApplicationListProps<Row, V>): ReactNode {
  const { title, about, icon, help, columns } = props
  const { data, error, loading, retry } = props.applications
  if (data !== undefined && data.length > 0) return <Loaded {...props} names={data} />
  return (
    <Page title={title} about={about}>
      {error !== undefined ? (
        <Failure title={title} error={error} busy={loading} retry={retry} />
      ) : data === undefined ? (
        <TableSkeleton columns={columns} rows={12} />
      ) : (
        <Empty {...noApplications(help, icon)} />
      )}
    </Page>
  )
}

function Loaded<Row extends OneRow, V>(props: ApplicationListProps<Row, V> & { names: readonly ApplicationName[] }): ReactNode {
  const { title, about, columns, place, listOf, names, actions } = props
  const workspaceId = useWorkspaceId()
  const appKey = useAppKey()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same names make no other list
  const list = useMemo((): ListOf<Row, V> => {
    const keys = appKey === undefined ? names.map(([key]) => key) : [appKey]
    const known = new Map(names)
    const nameOf = (key: string) => known.get(key) ?? key
    return {
      scope: [workspaceId, ...keys],
      title,
      about,
      columns: keys.length > 1 ? withApplication(columns, place, nameOf) : columns,
      ...listOf(keys, nameOf),
    }
  }, [workspaceId, appKey, JSON.stringify(names)])
  return <ListPage list={list} actions={actions} />
}

function withApplication<Row extends OneRow>(
  columns: readonly ExportedColumn<Row>[],
  place: number,
  nameOf: (appKey: string) => string,
): readonly ExportedColumn<Row>[] {
  const application: ExportedColumn<Row> = {
    id: 'app_key',
    head: WORDS.applications.one,
    width: 140,
    phone: 'hide',
    cell: ({ app_key }) => nameOf(app_key),
    text: ({ app_key }) => app_key,
  }
  return [...columns.slice(0, place), application, ...columns.slice(place)]
}
