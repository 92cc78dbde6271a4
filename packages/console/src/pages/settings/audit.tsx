import { ScrollText } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { areaB, functions } from '../../api/doors.ts'
import { listApplications, listSubscriptions } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import type { ListOf } from '../../list/list-of.ts'
import { ListPage } from '../../list/list-page.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page, PageHead } from '../../ui/page.tsx'
import type { ExportedColumn } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { AuditPanel } from './audit-panel.tsx'
import type { Entry } from './entry.ts'
import { actorName, subjectOf } from './entry-subject.ts'
import { actionName, Outcome } from './entry-texts.tsx'
import { type AuditValues, auditAddress, loadAudit } from './read-audit.ts'
import { WORDS } from './words.ts'

const { audit: words } = WORDS

/** The audit logs of both services as one list. */
export function Audit({ tabs }: { tabs: ReactNode }): ReactNode {
  const workspaceId = useWorkspaceId()
  const { why } = useMay('owner')
  const nameOf = useNames(why === undefined)
  const list: ListOf<Entry, AuditValues> = useMemo(
    () => ({
      name: 'audit',
      scope: [workspaceId],
      title: words.title,
      about: words.about,
      address: auditAddress,
      columns: columnsOf(nameOf),
      rowKey: ({ id }) => id,
      load: (values, cursor, signal) => loadAudit(workspaceId, values, cursor, signal),
      panelParameter: 'entry',
      panelTitle: (_key, row) => (row === undefined ? words.entry : actionName(row)),
      panel: (key, row) => <AuditPanel key={key} id={key} entry={row} nameOf={nameOf} />,
      empty: { icon: <ScrollText />, title: words.empty, help: words.emptyHelp },
    }),
    [workspaceId, nameOf],
  )
  if (why !== undefined) {
    return (
      <Page title={WORDS.title} about={WORDS.about} tabs={tabs}>
        <Empty icon={<ScrollText />} title={words.title} help={why} />
      </Page>
    )
  }
  return <ListPage list={list} head={<PageHead title={WORDS.title} about={WORDS.about} tabs={tabs} />} />
}

/** Returns the name of an application or the address of a subscription by its key; a key of something else as it is. */
function useNames(enabled: boolean): (key: string) => string {
  const workspaceId = useWorkspaceId()
  const applications = useRead(functions, listApplications, { query: { workspace_id: workspaceId } }, { enabled })
  const subscriptions = useRead(areaB(workspaceId), listSubscriptions, {}, { enabled })
  return useMemo(() => {
    const names = new Map([
      ...(applications.data?.applications.map(({ app_key, name }) => [app_key, name] as const) ?? []),
      ...(subscriptions.data?.subscriptions.map(({ subscription_id, callback_url }) => [subscription_id, callback_url] as const) ?? []),
    ])
    return (key) => names.get(key) ?? key
  }, [applications.data, subscriptions.data])
}

const columnsOf = (nameOf: (key: string) => string): readonly ExportedColumn<Entry>[] => [
  timeColumn({ id: 'at', head: words.columns.at, phone: 'line', as: 'short', at: ({ at }) => at }),
  { id: 'action', head: words.columns.action, width: 'grow', phone: 'title', cell: actionName, text: ({ action }) => action },
  {
    id: 'actor',
    head: words.columns.actor,
    width: 200,
    phone: 'line',
    cell: (entry) => <span title={actorName(entry, nameOf)}>{actorName(entry, nameOf)}</span>,
    text: ({ actor }) => actor.name,
  },
  {
    id: 'target',
    head: words.columns.target,
    width: 'grow',
    phone: 'line',
    cell: (entry) => <span title={subjectOf(entry, nameOf)}>{subjectOf(entry, nameOf)}</span>,
    text: ({ target }) => JSON.stringify(target),
  },
  {
    id: 'outcome',
    head: words.columns.outcome,
    width: 110,
    phone: 'line',
    cell: (entry) => <Outcome entry={entry} />,
    text: ({ outcome, code }) => (code === null ? outcome : `${outcome}: ${code}`),
  },
  {
    id: 'service',
    head: words.columns.service,
    width: 100,
    phone: 'hide',
    cell: ({ service }) => words.services[service],
    text: ({ service }) => service,
  },
]
