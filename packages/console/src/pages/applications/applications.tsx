import { KeyRound } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useWorkspaceId } from '../../api/me.ts'
import { defineAddress } from '../../list/address.ts'
import type { ListOf } from '../../list/list-of.ts'
import { ListPage } from '../../list/list-page.tsx'
import { type LastDay, NO_CALLS } from '../../parts/last-day.ts'
import { pathTo } from '../../shell/paths.ts'
import { Badge, Tag } from '../../ui/badge.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { Logo, Named, Row } from '../../ui/page.tsx'
import type { ExportedColumn } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { Calls } from './calls-cell.tsx'
import { CreateApplication, type Made, NewSecret } from './create-application.tsx'
import { type ApplicationRow, loadApplications, nameOf, useCallsByHour } from './read-applications.ts'
import { WORDS } from './words.ts'

const LIST_NAME = 'applications'

const address = defineAddress({ q: { kind: 'text', label: WORDS.search, search: true } })

type Values = { readonly q: string | undefined }

/** The applications of the workspace. */
export function Applications(): ReactNode {
  const workspaceId = useWorkspaceId()
  const calls = useCallsByHour()
  const [made, setMade] = useState<Made | undefined>(undefined)
  const list: ListOf<ApplicationRow, Values> = useMemo(
    () => ({
      name: LIST_NAME,
      scope: [workspaceId],
      title: WORDS.title,
      about: WORDS.about,
      address,
      columns: columnsOf(calls),
      rowKey: ({ appKey }) => appKey,
      async load({ q = '' }, _cursor, signal) {
        const wanted = q.toLowerCase()
        const rows = await loadApplications(workspaceId, signal)
        return { rows: rows.filter((row) => `${nameOf(row)}\n${row.appKey}`.toLowerCase().includes(wanted)), next: null }
      },
      href: ({ appKey }) => pathTo({ page: 'applications', path: encodeURIComponent(appKey) }, workspaceId),
      empty: {
        icon: <KeyRound />,
        title: WORDS.empty,
        help: WORDS.emptyHelp,
        action: <CreateApplication onMade={setMade} />,
      },
    }),
    [workspaceId, calls],
  )
  return (
    <>
      <ListPage list={list} actions={<CreateApplication accent onMade={setMade} />} />
      <NewSecret made={made} onClose={() => setMade(undefined)} />
    </>
  )
}

function columnsOf(calls: ReadonlyMap<string, LastDay> | undefined): readonly ExportedColumn<ApplicationRow>[] {
  return [
    {
      id: 'name',
      head: WORDS.columns.name,
      width: 'grow',
      phone: 'title',
      cell: (row) => <Named logo={<Logo name={nameOf(row)} />}>{nameOf(row)}</Named>,
      text: nameOf,
    },
    {
      id: 'app_key',
      head: WORDS.columns.appKey,
      width: 260,
      phone: 'line',
      cell: ({ appKey }) => <Id value={appKey} what={WORDS.columns.appKey} full={appKey.length <= 24} />,
      text: ({ appKey }) => appKey,
    },
    {
      id: 'state',
      head: WORDS.columns.profile,
      width: 150,
      phone: 'hide',
      cell: (row) => <State row={row} />,
      text: ({ own }) => own?.client_profile ?? '',
    },
    {
      id: 'calls',
      head: WORDS.columns.calls,
      width: 190,
      phone: 'line',
      cell: ({ appKey }) => <Calls appKey={appKey} found={calls} />,
      text: ({ appKey }) => String((calls?.get(appKey) ?? NO_CALLS).allCalls),
    },
    timeColumn({ id: 'created', head: WORDS.columns.created, phone: 'hide', at: ({ createdAt }) => createdAt }),
  ]
}

function State({ row: { own } }: { row: ApplicationRow }): ReactNode {
  if (own === undefined) return <Badge tone="warn" text={WORDS.unfinished} />
  if (own.previous_secret_valid_until !== null) return <Badge tone="accent" text={WORDS.twoSecrets} />
  return (
    <Row>
      <Tag>{WORDS.profiles[own.client_profile]}</Tag>
    </Row>
  )
}
