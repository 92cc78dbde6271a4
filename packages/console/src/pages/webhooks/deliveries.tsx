import { RotateCcw, Webhook } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { readDeliveries } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { send } from '../../api/send.ts'
import { defineAddress, periodOf } from '../../list/address.ts'
import type { ListOf } from '../../list/list-of.ts'
import { ListPage } from '../../list/list-page.tsx'
import { useAppKey } from '../../shell/application-filter.tsx'
import { COLUMNS } from './delivery-columns.tsx'
import { DeliveryPanel } from './delivery-panel.tsx'
import { ReplayChosen } from './replay-chosen.tsx'
import { eventName, type OneSubscription, type OwnedDelivery } from './states.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.deliveries

const ADDRESS = defineAddress({
  user_id: { kind: 'text', label: TEXTS.userFilter, placeholder: TEXTS.userFilter, search: true },
  period: { kind: 'period', label: TEXTS.period, values: ['24h', '7d', '30d', '90d'], default: '7d' },
  status: { kind: 'enum', label: TEXTS.state, values: ['pending', 'delivered', 'failed'], names: TEXTS.status },
})

type Values = ReturnType<typeof ADDRESS.parse>
const rowKey = ({ delivery_id: id }: OwnedDelivery) => id

/** Rows that arrived within this time of the newest known one may have been stored after it. */
const OVERLAP_MS = 60_000

/** The deliveries of a subscription. */
export function Deliveries({ subscription, head }: { subscription: OneSubscription; head: ReactNode }): ReactNode {
  const workspaceId = useWorkspaceId()
  const appKey = useAppKey()
  const { why } = useMay('developer')
  const [chosen, setChosen] = useState<readonly OwnedDelivery[] | undefined>(undefined)
  const { subscription_id: id } = subscription
  const read = async (query: object, signal?: AbortSignal) =>
    await send(insights, readDeliveries, { params: { workspace_id: workspaceId }, query, signal })
  const filter = ({ status, user_id }: Values) => ({ subscription_id: id, app_key: appKey, status, user_id })
  const list: ListOf<OwnedDelivery, Values> = {
    name: 'deliveries',
    scope: [workspaceId, id, appKey ?? ''],
    title: TEXTS.title,
    about: TEXTS.about,
    address: ADDRESS,
    columns: COLUMNS,
    rowKey,
    async load(values, cursor, signal) {
      const { since, until } = periodOf(values.period, new Date())
      const span = { since: since.toISOString(), until: until?.toISOString() }
      const { deliveries, _cursor } = await read({ ...filter(values), ...span, page_size: 50, _cursor: cursor }, signal)
      return { rows: deliveries, next: _cursor }
    },
    async newer(values, newest) {
      if (periodOf(values.period, new Date()).until !== undefined) return []
      const since = new Date(Date.parse(newest.created_at) - OVERLAP_MS).toISOString()
      const { deliveries } = await read({ ...filter(values), since, page_size: 200 })
      // The ids are in the order of time.
      return deliveries.filter((row) => rowKey(row) > rowKey(newest))
    },
    changing: {
      is: ({ status }) => status === 'pending',
      read: async (rows) => (await read({ delivery_ids: rows.map(rowKey).join(',') })).deliveries,
    },
    panelParameter: 'delivery',
    panel: (key, row) => <DeliveryPanel key={key} id={key} row={row} subscription={subscription} />,
    panelTitle: (_, row) => (row === undefined ? TEXTS.unknownPanel : TEXTS.panel(eventName(row.event_name))),
    empty: { icon: <Webhook />, title: TEXTS.empty, help: TEXTS.emptyHelp },
    actions: [
      {
        label: TEXTS.replay,
        icon: <RotateCcw />,
        why: (rows) => why ?? (rows.some(({ status }) => status === 'failed') ? undefined : TEXTS.onlyFailed),
        run: setChosen,
      },
    ],
  }
  return (
    <>
      <ListPage list={list} head={head} />
      {chosen !== undefined && <ReplayChosen rows={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}
