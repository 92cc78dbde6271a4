import type { Subscription } from '@onward/contract'
import { Plus, Webhook } from 'lucide-react'
import type { ReactNode } from 'react'
import { areaB, insights } from '../../api/doors.ts'
import { listSubscriptions, readSubscriptionHealth } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { send } from '../../api/send.ts'
import { defineAddress } from '../../list/address.ts'
import type { ListOf } from '../../list/list-of.ts'
import { ListPage } from '../../list/list-page.tsx'
import { PageTabs, useGo } from '../../shell/links.tsx'
import { pathTo } from '../../shell/paths.ts'
import { formatCount, formatNumber } from '../../text/format.ts'
import { Badge, Tag } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Spark } from '../../ui/chart/spark.tsx'
import { cx } from '../../ui/cx.ts'
import { useNow } from '../../ui/media.ts'
import { PageHead } from '../../ui/page.tsx'
import type { ExportedColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { CreateSubscription } from './create.tsx'
import { eventName, type Sparks, shortUrl, sparksOf, stateOf } from './states.ts'
import { useRefreshEvery } from './use-refresh-every.ts'
import styles from './webhooks.module.css'
import { TEXT } from './words.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const WORDS = TEXT.subscriptions
const ADDRESS = defineAddress({})
const rowKey = ({ subscription_id: id }: Subscription) => id

/** All subscriptions of the workspace, with their health. */
export function Subscriptions({ creating }: { creating: boolean }): ReactNode {
  const workspaceId = useWorkspaceId()
  const go = useGo()
  const now = useNow(60_000)
  const { why } = useMay('developer')
  useRefreshEvery('subscriptions', 15_000)
  const { data } = useRead(insights, readSubscriptionHealth, { params: { workspace_id: workspaceId } }, { every: 60_000 })
  const health = data && new Map(data.subscriptions.map((each) => [each.subscription_id, sparksOf(each, now)]))
  const create = (
    <Button tone="accent" icon={<Plus />} why={why} onClick={() => go({ page: 'webhooks', path: 'new' })}>
      {WORDS.create}
    </Button>
  )
  const list: ListOf<Subscription, ReturnType<typeof ADDRESS.parse>> = {
    name: 'subscriptions',
    scope: [workspaceId],
    title: WORDS.title,
    about: WORDS.about,
    address: ADDRESS,
    columns: columnsWith(health),
    rowKey,
    async load(_, cursor, signal) {
      const query = { page_size: 100, _cursor: cursor ?? undefined }
      const { subscriptions, _cursor } = await send(areaB(workspaceId), listSubscriptions, { query, signal })
      return { rows: subscriptions, next: _cursor }
    },
    href: (row) => pathTo({ page: 'webhooks', path: rowKey(row) }, workspaceId),
    empty: { icon: <Webhook />, title: WORDS.empty, help: WORDS.emptyHelp, action: create },
  }
  return (
    <>
      <ListPage list={list} head={<PageHead title={WORDS.title} about={WORDS.about} actions={create} tabs={<WebhookTabs />} />} />
      {creating && <CreateSubscription onClose={() => go({ page: 'webhooks' })} />}
    </>
  )
}

/** The tabs of the page above all subscriptions. */
export function WebhookTabs(): ReactNode {
  const { name, subscriptions, replays } = TEXT.tabs
  const tabs = [
    ['', subscriptions],
    ['replays', replays],
  ] as const
  return <PageTabs page="webhooks" label={name} tabs={tabs} />
}

function columnsWith(health: ReadonlyMap<string, Sparks> | undefined): readonly ExportedColumn<Subscription>[] {
  return [
    {
      id: 'endpoint',
      head: WORDS.endpoint,
      width: 'grow',
      phone: 'title',
      cell: ({ callback_url: url }) => <span title={url}>{shortUrl(url)}</span>,
      text: ({ callback_url: url }) => url,
    },
    {
      id: 'state',
      head: WORDS.state,
      width: 170,
      phone: 'line',
      cell: (row) => <SubscriptionState row={row} />,
      text: (row) => stateOf(row).text,
    },
    {
      id: 'events',
      head: WORDS.events,
      width: 240,
      phone: 'line',
      cell: ({ events }) => <Events events={events} />,
      text: ({ events }) => events.join(' '),
    },
    {
      id: 'health',
      head: WORDS.health,
      width: 220,
      phone: 'hide',
      cell: (row) => <Health sparks={health?.get(rowKey(row))} />,
      text: (row) => (health?.get(rowKey(row))?.all ?? []).join(' '),
    },
    timeColumn({ id: 'created_at', head: WORDS.created, phone: 'hide', as: 'short', at: ({ created_at: at }) => at }),
  ]
}

function SubscriptionState({ row }: { row: Subscription }): ReactNode {
  const state = stateOf(row)
  const since = row.status === 'disabled' ? row.disabled_at : row.failing_since
  return (
    <span className={styles.state}>
      <Badge {...state} />
      {since !== null && <Time at={since} />}
    </span>
  )
}

/** Number of characters for which a row has space. The border of a tag takes the space of four. */
const ROOM = 34
const BORDER = 4

/** The events of a subscription: all of them, or the first ones for which a row has space. */
export function Events({ events, all = false }: { events: readonly string[]; all?: boolean }): ReactNode {
  let room = ROOM
  const shown = events.filter((event, i) => {
    room -= eventName(event).length + BORDER
    return all || i === 0 || room >= 0
  })
  return (
    <span className={cx(styles.events, all && styles.wrapping)} title={events.map(eventName).join(', ')}>
      {shown.map((event) => (
        <Tag key={event}>{eventName(event)}</Tag>
      ))}
      {shown.length < events.length && <span>+{events.length - shown.length}</span>}
    </span>
  )
}

/** The deliveries of the last 24 hours as bars, with their number. Nothing while they load. */
function Health({ sparks }: { sparks: Sparks | undefined }): ReactNode {
  if (sparks === undefined) return null
  const all = sum(sparks.all)
  const failed = sum(sparks.failed)
  const count = formatCount(all, TEXT.health.delivery.one, TEXT.health.delivery.other)
  return (
    <span className={styles.health} title={sparks.capped ? TEXT.health.capped : undefined}>
      <Spark label={TEXT.health.label(count, formatNumber(failed))} values={sparks.all} failed={sparks.failed} />
      <span className={styles.counts}>
        {sparks.capped ? `${formatNumber(all)}+` : all === 0 ? TEXT.health.none : formatNumber(all)}
        {failed > 0 && <span className={styles.failed}>{TEXT.health.failed(formatNumber(failed))}</span>}
      </span>
    </span>
  )
}
