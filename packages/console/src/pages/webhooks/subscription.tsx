import { DAY_MS } from '@onward/contract/pure'
import { FastForward, RotateCcw, Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { areaB, insights } from '../../api/doors.ts'
import { getSubscription, sendPending } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { toast } from '../../api/toasts.ts'
import { ChangeError } from '../../parts/change-error.tsx'
import { PageLink, PageTabs } from '../../shell/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Page, PageHead } from '../../ui/page.tsx'
import { Failure } from '../../ui/section.tsx'
import { Bone, Lines, Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { Deliveries } from './deliveries.tsx'
import { ReplaySince } from './replay-since.tsx'
import { Settings } from './settings.tsx'
import { type OneSubscription, pendingOf, shortUrl, stateOf } from './states.ts'
import { Events } from './subscriptions.tsx'
import { TestDelivery } from './test-delivery.tsx'
import { TEXT } from './words.ts'

const TEXTS = TEXT.subscription

/** One subscription with its deliveries or its settings. */
export function SubscriptionPage({ id, tab }: { id: string; tab: 'deliveries' | 'settings' }): ReactNode {
  const { data, error, loading, retry } = useRead(
    areaB(useWorkspaceId()),
    getSubscription,
    { params: { subscription_id: id } },
    { every: 10_000 },
  )
  if (data === undefined) {
    const title = TEXT.subscriptions.title
    if (error?.status === 404) {
      return (
        <Page title={title}>
          <Empty
            title={TEXTS.notFound}
            help={TEXTS.notFoundHelp}
            action={
              <PageLink page="webhooks" className={buttonClass()}>
                {TEXTS.back}
              </PageLink>
            }
          />
        </Page>
      )
    }
    return (
      <Page title={error === undefined ? <Bone width={240} height={20} /> : title}>
        {error === undefined ? (
          <Skeleton>
            <Lines count={6} />
          </Skeleton>
        ) : (
          <Failure title={title} error={error} busy={loading} retry={retry} />
        )}
      </Page>
    )
  }
  const head = <Head subscription={data} />
  if (tab === 'deliveries') return <Deliveries subscription={data} head={head} />
  return <Settings subscription={data} head={head} />
}

function Head({ subscription }: { subscription: OneSubscription }): ReactNode {
  const { subscription_id: id, callback_url: url, status, events } = subscription
  const { why } = useMay('developer')
  const [open, setOpen] = useState<'pending' | 'test' | 'replay' | undefined>(undefined)
  const off = why ?? (status === 'disabled' ? TEXTS.disabledWhy : undefined)
  return (
    <>
      <PageHead
        title={shortUrl(url)}
        badge={<Badge {...stateOf(subscription)} soft />}
        about={<Events events={events} all />}
        path={[
          <PageLink key="all" page="webhooks">
            {TEXTS.all}
          </PageLink>,
        ]}
        actions={
          <>
            {subscription.deliveries.pending > 0 && (
              <Button icon={<FastForward />} why={off} onClick={() => setOpen('pending')}>
                {TEXTS.sendPending}
              </Button>
            )}
            <Button icon={<RotateCcw />} why={off} onClick={() => setOpen('replay')}>
              {TEXTS.replay}
            </Button>
            <Button tone="accent" icon={<Send />} why={off} onClick={() => setOpen('test')}>
              {TEXTS.test}
            </Button>
          </>
        }
        tabs={
          <PageTabs
            page="webhooks"
            label={TEXTS.tabs}
            tabs={[
              [id, TEXTS.deliveries],
              [`${id}/settings`, TEXTS.settings],
            ]}
          />
        }
      />
      <Health subscription={subscription} />
      {open === 'pending' && <SendPending subscription={subscription} onClose={() => setOpen(undefined)} />}
      {open === 'test' && <TestDelivery subscriptionId={id} onClose={() => setOpen(undefined)} />}
      {open === 'replay' && (
        <ReplaySince subscriptionId={id} since={dayAgoOr(subscription.failing_since)} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}

/** Sends what waits for a later attempt, as after the endpoint was repaired. */
function SendPending({ subscription, onClose }: { subscription: OneSubscription; onClose(): void }): ReactNode {
  const { subscription_id: id, callback_url: url, deliveries } = subscription
  const params = { workspace_id: useWorkspaceId(), subscription_id: id }
  const { run, running, error } = useChange(insights, sendPending, { refresh: [getSubscription] })
  const { title, about, action, sent } = TEXTS.pending
  const store = async () => {
    const response = await run({ params })
    if (response === undefined) return
    toast(sent(response.deliveries, shortUrl(url)))
    onClose()
  }
  return (
    <FormDialog title={title} action={action} busy={running} submit={store} onClose={onClose}>
      <p>{about(pendingOf(deliveries.pending), shortUrl(url))}</p>
      <ChangeError error={error} />
    </FormDialog>
  )
}

/** The time since which an endpoint has been failing, but at least a day ago: it may have worked for a moment in between. */
function dayAgoOr(failingSince: string | null): string {
  const dayAgo = Date.now() - DAY_MS
  return new Date(Math.min(dayAgo, failingSince === null ? dayAgo : Date.parse(failingSince))).toISOString()
}

/** What is wrong with the subscription, and what to do. */
function Health({ subscription }: { subscription: OneSubscription }): ReactNode {
  const { subscription_id: id, status, disabled_reason: reason, failing_since: since } = subscription
  if (status === 'disabled') {
    return (
      <Notice
        tone="warn"
        title={TEXTS.disabled}
        action={
          <PageLink page="webhooks" path={`${id}/settings`} className={buttonClass('plain', 'small')}>
            {TEXTS.toSettings}
          </PageLink>
        }
      >
        {TEXTS.disabledHelp(reason ?? '–')}
      </Notice>
    )
  }
  if (since === null) return null
  return (
    <Notice tone="warn">
      <strong>
        {TEXTS.failing} <Time at={since} as="exact" />.
      </strong>{' '}
      {TEXTS.failingHelp}
    </Notice>
  )
}
