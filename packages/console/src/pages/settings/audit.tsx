import { ScrollText } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import type { ListOf } from '../../list/list-of.ts'
import { ListPage } from '../../list/list-page.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page, PageHead } from '../../ui/page.tsx'
import type { ExportedColumn } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { AuditPanel } from './audit-panel.tsx'
import { actionName, actorName, Outcome, targetOf } from './entry-texts.tsx'
import type { Entry } from './merge-audit.ts'
import { type AuditValues, auditAddress, loadAudit } from './read-audit.ts'
import { WORDS } from './words.ts'

const { audit: words } = WORDS

/** The audit logs of both services as one list. */
export function Audit({ tabs }: { tabs: ReactNode }): ReactNode {
  const workspaceId = useWorkspaceId()
  const { why } = useMay('owner')
  const list: ListOf<Entry, AuditValues> = useMemo(
    () => ({
      name: 'audit',
      scope: [workspaceId],
      title: words.title,
      about: words.about,
      address: auditAddress,
      columns: COLUMNS,
      rowKey: ({ id }) => id,
      load: (values, cursor, signal) => loadAudit(workspaceId, values, cursor, signal),
      panelParameter: 'entry',
      panelTitle: (_key, row) => (row === undefined ? words.entry : actionName(row)),
      panel: (key, row) => <AuditPanel key={key} id={key} entry={row} />,
      empty: { icon: <ScrollText />, title: words.empty, help: words.emptyHelp },
    }),
    [workspaceId],
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

const COLUMNS: readonly ExportedColumn<Entry>[] = [
  timeColumn({ id: 'at', head: words.columns.at, width: 120, phone: 'line', as: 'short', at: ({ at }) => at }),
  { id: 'action', head: words.columns.action, width: 'grow', phone: 'title', cell: actionName, text: ({ action }) => action },
  { id: 'actor', head: words.columns.actor, width: 180, phone: 'line', cell: actorName, text: ({ actor }) => actor.name },
  {
    id: 'target',
    head: words.columns.target,
    width: 'grow',
    phone: 'hide',
    cell: (entry) =>
      targetOf(entry)
        .map(([, value]) => value)
        .join(', '),
    text: ({ target }) => JSON.stringify(target),
  },
  {
    id: 'outcome',
    head: words.columns.outcome,
    width: 110,
    phone: 'line',
    cell: ({ outcome }) => <Outcome outcome={outcome} />,
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
