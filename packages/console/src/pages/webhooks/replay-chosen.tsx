import type { ReactNode } from 'react'
import { insights } from '../../api/doors.ts'
import { createReplay, getReplay, listReplays } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { send } from '../../api/send.ts'
import { toast } from '../../api/toasts.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { formatCount, formatNumber } from '../../text/format.ts'
import { WORDS } from '../../text/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Stack } from '../../ui/page.tsx'
import type { OwnedDelivery } from './states.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.replay
const countOf = (deliveries: number) => formatCount(deliveries, TEXTS.delivery.one, TEXTS.delivery.other)

/** Sends the failed ones of some deliveries again, after saying how many these are. */
export function ReplayChosen({ rows, onClose }: { rows: readonly OwnedDelivery[]; onClose(): void }): ReactNode {
  const params = { workspace_id: useWorkspaceId() }
  const refreshList = useRefreshList()
  const { run, running, error } = useChange(insights, createReplay, { refresh: [listReplays] })
  const failed = rows.filter(({ status }) => status === 'failed')
  const start = async () => {
    const made = await run({ params, body: { ids: failed.map(({ delivery_id: id }) => id) } })
    if (made === undefined) return
    refreshList('deliveries')
    onClose()
    const done = await send(insights, getReplay, { params: { ...params, replay_id: made.replay_id } }).catch(() => undefined)
    if (done !== undefined) toast(TEXTS.done(countOf(done.replayed), formatNumber(done.skipped)))
  }
  return (
    <Dialog
      open
      title={TEXTS.title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{WORDS.common.cancel}</Button>
          <Button tone="accent" busy={running} onClick={() => void start()}>
            {TEXTS.start(countOf(failed.length))}
          </Button>
        </>
      }
    >
      <Stack gap={3}>
        <p>{TEXTS.selected(countOf(failed.length))}</p>
        {failed.length < rows.length && <p>{TEXTS.others(formatNumber(rows.length - failed.length))}</p>}
        {error !== undefined && <Notice tone="bad">{error.message}</Notice>}
      </Stack>
    </Dialog>
  )
}
