import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { areaB, insights } from '../../api/doors.ts'
import { getSubscription, readDeliveries, testSubscription } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { PageLink } from '../../shell/links.tsx'
import { formatDuration } from '../../text/format.ts'
import { WORDS } from '../../text/words.ts'
import { Progress } from '../../ui/bar.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Stack } from '../../ui/page.tsx'
import { Failure } from '../../ui/section.tsx'
import { Response } from './attempts.tsx'
import { type Attempt, faultOf } from './fault.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.test
const EVERY_MS = 700

/** Sends a test delivery, waits for its first attempt, and shows what the endpoint answered. */
export function TestDelivery({ subscriptionId, onClose }: { subscriptionId: string; onClose(): void }): ReactNode {
  const workspaceId = useWorkspaceId()
  const refreshList = useRefreshList()
  const { run, error } = useChange(areaB(workspaceId), testSubscription, { refresh: [getSubscription] })
  const [sent, setSent] = useState<string | undefined>(undefined)
  const [ended, setEnded] = useState(false)
  const query = { delivery_ids: sent ?? '' }
  const reading = useRead(
    insights,
    readDeliveries,
    { params: { workspace_id: workspaceId }, query },
    { enabled: sent !== undefined, ...(ended ? {} : { every: EVERY_MS }) },
  )
  const attempt = reading.data?.deliveries[0]?.attempts[0]
  if (attempt !== undefined && !ended) setEnded(true)

  const start = useEffectEvent(async () => {
    setSent(undefined)
    setEnded(false)
    const made = await run({ params: { subscription_id: subscriptionId } })
    setSent(made?.delivery_id)
    refreshList('deliveries')
  })
  const started = useRef<boolean>(false)
  useEffect(() => {
    // StrictMode runs effects twice, and one test is enough.
    if (started.current) return
    started.current = true
    void start()
  }, [])
  const refresh = useEffectEvent(() => refreshList('deliveries'))
  useEffect(() => {
    if (ended) refresh()
  }, [ended])
  return (
    <Dialog
      open
      title={TEXTS.title}
      onClose={onClose}
      footer={
        <>
          {sent !== undefined && (
            <PageLink page="webhooks" path={subscriptionId} search={{ delivery: sent }} className={buttonClass()} onClick={onClose}>
              {TEXTS.open}
            </PageLink>
          )}
          <Button tone="accent" onClick={onClose}>
            {WORDS.common.done}
          </Button>
        </>
      }
    >
      <div aria-live="polite">
        <Stack gap={4}>
          {error !== undefined ? (
            <Notice tone="bad" title={TEXTS.refused}>
              {error.message}
            </Notice>
          ) : attempt !== undefined ? (
            <Result attempt={attempt} />
          ) : reading.error !== undefined && sent !== undefined ? (
            <Failure title={TEXTS.title} error={reading.error} busy={reading.loading} retry={reading.retry} />
          ) : (
            <>
              <p>{sent === undefined ? TEXTS.sending : TEXTS.waiting}</p>
              <Progress label={TEXTS.title} done={0} />
            </>
          )}
        </Stack>
      </div>
    </Dialog>
  )
}

function Result({ attempt }: { attempt: Attempt }): ReactNode {
  const fault = faultOf(attempt)
  const took = `${TEXTS.took} ${formatDuration(attempt.duration_ms)}.`
  return (
    <>
      {fault === undefined ? (
        <Notice tone="good" title={TEXTS.worked}>
          {TEXT.delivery.answered(attempt.status ?? 0)}. {took}
        </Notice>
      ) : (
        <Notice tone="bad" title={fault.text}>
          <p>{fault.next}</p>
          <p>
            {took} {TEXTS.retried}
          </p>
        </Notice>
      )}
      {attempt.status !== null && <Response text={attempt.response} />}
    </>
  )
}
