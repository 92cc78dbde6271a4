import { Activity } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { functions } from '../../api/doors.ts'
import { listApplications } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import type { ListOf } from '../../list/list-of.ts'
import { ListPage } from '../../list/list-page.tsx'
import { useAppKey } from '../../shell/application-filter.tsx'
import { PageLink } from '../../shell/links.tsx'
import { SHELL_WORDS } from '../../text/shell-words.ts'
import { buttonClass } from '../../ui/button.tsx'
import type { EmptyText } from '../../ui/empty.tsx'
import { PHONE, useMedia } from '../../ui/media.ts'
import { Card } from '../../ui/page.tsx'
import { CallPanel } from './call-panel.tsx'
import { columnsOf, EXPORTED_COLUMNS } from './columns.tsx'
import { CALLS_ADDRESS, type CallFilters } from './filters.ts'
import { Histogram, isCharted } from './histogram.tsx'
import { type Call, loadCalls, loadNewer } from './read-calls.ts'
import { Views } from './views.tsx'
import { CALLS_WORDS } from './words.ts'

const { empty } = CALLS_WORDS

/** What the list says when no filter is set and the default period has no calls. Older ones may exist. */
const NoCalls: EmptyText = {
  title: empty.title,
  help: empty.help,
  action: (
    <>
      <PageLink page="calls" search={{ period: '30d' }} className={buttonClass()}>
        {empty.month}
      </PageLink>
      <PageLink page="playground" className={buttonClass('accent')}>
        {empty.playground}
      </PageLink>
    </>
  ),
}

/** All calls of the workspace, with a side panel for one. */
export function Page(): ReactNode {
  const workspaceId = useWorkspaceId()
  const appKey = useAppKey()
  const names = useApplicationNames(workspaceId)
  const phone = useMedia(PHONE)
  const list = useMemo<ListOf<Call, CallFilters>>(() => {
    const scope = { workspaceId, appKey }
    const several = appKey === undefined && names.size > 1
    return {
      name: 'calls',
      scope: [workspaceId, appKey ?? ''],
      title: SHELL_WORDS.menu.calls,
      about: CALLS_WORDS.about,
      address: CALLS_ADDRESS,
      columns: columnsOf(several ? (key) => names.get(key) ?? key : undefined, phone),
      exported: EXPORTED_COLUMNS,
      rowKey: ({ id }) => id,
      load: (values, cursor, signal) => loadCalls(values, scope, cursor, signal),
      newer: (values, newest, oldest) => loadNewer(values, scope, newest, oldest),
      panelParameter: 'call',
      panel: (id, row) => <CallPanel key={id} id={id} row={row} applicationName={(key) => names.get(key) ?? key} />,
      panelTitle: (_, row) => row?.function_name ?? CALLS_WORDS.panel.title,
      empty: { icon: <Activity />, ...NoCalls },
      chart: (values, set) =>
        isCharted(values) && (
          <Card>
            <Histogram values={values} workspaceId={workspaceId} appKey={appKey} onPeriod={(period) => set({ period })} />
          </Card>
        ),
    }
  }, [workspaceId, appKey, names, phone])
  return <ListPage list={list} actions={<Views />} />
}

/** The names of the applications of the workspace by App-Key. Empty until they are read. */
function useApplicationNames(workspaceId: string): ReadonlyMap<string, string> {
  const { data } = useRead(functions, listApplications, { query: { workspace_id: workspaceId } })
  return useMemo(() => new Map(data?.applications.map(({ app_key, name }) => [app_key, name])), [data])
}
