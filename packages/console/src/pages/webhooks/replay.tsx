import type { Replay } from '@onward/contract'
import { Square } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { areaB, insights } from '../../api/doors.ts'
import { abortReplay, getReplay, getSubscription, listReplays } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { PageLink } from '../../shell/links.tsx'
import { formatCount } from '../../text/format.ts'
import { Progress } from '../../ui/bar.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { Figure, Figures, Num } from '../../ui/number.tsx'
import { Facts, Page } from '../../ui/page.tsx'
import { Group, Section } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { ReplayState } from './replays.tsx'
import { shortUrl } from './states.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.job
const EVERY_MS = 1000

/** One replay, which the server runs: its progress, and a way to stop it. */
export function ReplayPage({ id }: { id: string }): ReactNode {
  const params = { workspace_id: useWorkspaceId(), replay_id: id }
  const [ended, setEnded] = useState(false)
  const reading = useRead(insights, getReplay, { params }, ended ? {} : { every: EVERY_MS })
  const { data, error } = reading
  if (data !== undefined && data.status !== 'running' && !ended) setEnded(true)
  const path = [
    <PageLink key="replays" page="webhooks" path="replays">
      {TEXT.tabs.replays}
    </PageLink>,
  ]
  if (data === undefined && error?.status === 404) {
    return (
      <Page title={TEXTS.title} path={path}>
        <Empty
          title={TEXTS.notFound}
          help={TEXTS.notFoundHelp}
          action={
            <PageLink page="webhooks" path="replays" className={buttonClass()}>
              {TEXT.tabs.replays}
            </PageLink>
          }
        />
      </Page>
    )
  }
  return (
    <Page title={TEXTS.title} about={TEXTS.about} path={path} badge={data && <ReplayState status={data.status} soft />}>
      <Section title={TEXTS.progress} reading={reading}>
        {(replay) => <Work replay={replay} />}
      </Section>
      {data !== undefined && <About replay={data} />}
    </Page>
  )
}

function Work({ replay }: { replay: Replay }): ReactNode {
  const { status, deliveries, replayed, skipped } = replay
  const running = status === 'running'
  const { why } = useMay('developer')
  const params = { workspace_id: useWorkspaceId(), replay_id: replay.replay_id }
  const stop = useChange(insights, abortReplay, { done: TEXTS.stopped, refresh: [getReplay, listReplays] })
  const sent = formatCount(replayed, TEXT.replay.delivery.one, TEXT.replay.delivery.other)
  return (
    <>
      {running && <Progress label={TEXTS.label} done={replayed + skipped} total={deliveries} />}
      <Figures>
        <Figure name={TEXTS.sent} value={<Num value={replayed} />} note={TEXTS.sentNote} />
        <Figure name={TEXTS.skipped} value={<Num value={skipped} />} note={TEXTS.skippedNote} />
        <Figure name={TEXTS.left} value={<Num value={Math.max(0, deliveries - replayed - skipped)} />} />
      </Figures>
      <p className="hidden" role="status">
        {running ? TEXTS.running : TEXTS.done(sent)}
      </p>
      {stop.error !== undefined && <Notice tone="bad">{stop.error.message}</Notice>}
      {running && (
        <div>
          <Button icon={<Square />} busy={stop.running} why={why} title={TEXTS.stopHelp} onClick={() => void stop.run({ params })}>
            {TEXTS.stop}
          </Button>
        </div>
      )}
    </>
  )
}

/** The address of a subscription; its id while that loads, and after it was deleted. */
function EndpointOf({ id }: { id: string }): ReactNode {
  const { data } = useRead(areaB(useWorkspaceId()), getSubscription, { params: { subscription_id: id } })
  return data === undefined ? id : shortUrl(data.callback_url)
}

function About({ replay }: { replay: Replay }): ReactNode {
  const { replay_id: id, subscription_id: subscriptionId, since, until, created_at: at, created_by: by } = replay
  const scope =
    subscriptionId === null ? (
      TEXTS.allSubscriptions
    ) : (
      <PageLink page="webhooks" path={subscriptionId}>
        <EndpointOf id={subscriptionId} />
      </PageLink>
    )
  const selection =
    since === null ? (
      TEXTS.chosen
    ) : (
      <>
        {TEXTS.failedFrom} <Time at={since} as="exact" /> {TEXT.replay.until} <Time at={until} as="exact" />
      </>
    )
  return (
    <Group title={TEXTS.selection}>
      <Facts
        facts={[
          [TEXTS.which, selection],
          ...(since === null ? [] : ([[TEXTS.subscription, scope]] as const)),
          [TEXTS.started, <Time key="at" at={at} as="exact" />],
          [TEXTS.by, by],
          [TEXTS.id, <Id key="id" value={id} what={TEXTS.id} full />],
        ]}
      />
    </Group>
  )
}
