import type { Replay } from '@onward/contract'
import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { insights } from '../../api/doors.ts'
import { listReplays } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { send } from '../../api/send.ts'
import { defineAddress } from '../../list/address.ts'
import type { ListOf } from '../../list/list-of.ts'
import { ListPage } from '../../list/list-page.tsx'
import { pathTo } from '../../shell/paths.ts'
import { formatCount, formatNumber } from '../../text/format.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { PageHead } from '../../ui/page.tsx'
import type { ExportedColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { WebhookTabs } from './subscriptions.tsx'
import { useRefreshEvery } from './use-refresh-every.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.replays
const ADDRESS = defineAddress({})
const rowKey = ({ replay_id: id }: Replay) => id
const TONES: Readonly<Record<Replay['status'], BadgeTone>> = { running: 'accent', done: 'good', aborted: 'neutral' }

/** The replays of the workspace. Each has its own page. */
export function Replays(): ReactNode {
  const workspaceId = useWorkspaceId()
  const params = { workspace_id: workspaceId }
  useRefreshEvery('replays', 5000)
  const list: ListOf<Replay, ReturnType<typeof ADDRESS.parse>> = {
    name: 'replays',
    scope: [workspaceId],
    title: TEXTS.title,
    about: TEXTS.about,
    address: ADDRESS,
    columns: COLUMNS,
    rowKey,
    async load(_, cursor, signal) {
      const query = { page_size: 50, _cursor: cursor ?? undefined }
      const { replays, _cursor } = await send(insights, listReplays, { params, query, signal })
      return { rows: replays, next: _cursor }
    },
    href: (row) => pathTo({ page: 'webhooks', path: `replays/${rowKey(row)}` }, workspaceId),
    empty: { icon: <RotateCcw />, title: TEXTS.empty, help: TEXTS.emptyHelp },
  }
  return <ListPage list={list} head={<PageHead title={TEXTS.title} about={TEXTS.about} tabs={<WebhookTabs />} />} />
}

/** The state of a replay, as a badge. */
export function ReplayState({ status, soft = false }: Pick<Replay, 'status'> & { soft?: boolean }): ReactNode {
  return <Badge tone={TONES[status]} text={TEXTS.status[status]} pulse={status === 'running'} soft={soft} />
}

const countOf = (deliveries: number) => formatCount(deliveries, TEXT.replay.delivery.one, TEXT.replay.delivery.other)

const COLUMNS: readonly ExportedColumn<Replay>[] = [
  {
    id: 'what',
    head: TEXTS.what,
    width: 'grow',
    phone: 'title',
    cell: ({ deliveries, since }) =>
      since === null ? (
        TEXTS.given(countOf(deliveries))
      ) : (
        <>
          {TEXTS.span(countOf(deliveries))} <Time at={since} as="short" />
        </>
      ),
    text: ({ deliveries, since }) => (since === null ? TEXTS.given(countOf(deliveries)) : `${TEXTS.span(countOf(deliveries))} ${since}`),
  },
  { id: 'status', head: TEXTS.state, width: 130, phone: 'line', cell: (row) => <ReplayState {...row} />, text: ({ status }) => status },
  {
    id: 'replayed',
    head: TEXTS.progress,
    width: 150,
    phone: 'line',
    cell: ({ replayed, skipped, deliveries }) => TEXTS.of(formatNumber(replayed + skipped), formatNumber(deliveries)),
    text: ({ replayed }) => String(replayed),
  },
  {
    id: 'created_by',
    head: TEXTS.by,
    width: 220,
    phone: 'hide',
    cell: ({ created_by: by }) => <span title={by}>{by}</span>,
    text: ({ created_by: by }) => by,
  },
  timeColumn({ id: 'created_at', head: TEXTS.started, phone: 'line', as: 'short', at: ({ created_at: at }) => at }),
]
