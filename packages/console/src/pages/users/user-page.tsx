import { SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import { areaB, insights } from '../../api/doors.ts'
import { getUserDetail, getUserTaskHistory } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { Suspension, SuspensionBadge } from '../../parts/suspension.tsx'
import { PageLink, useDialogInAddress } from '../../shell/links.tsx'
import { formatInstant } from '../../text/format.ts'
import { Badge, Tag } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Line } from '../../ui/chart/line.tsx'
import { projectedAt } from '../../ui/chart/scale.ts'
import { Copy } from '../../ui/copy-button.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { useNow } from '../../ui/media.ts'
import { Num } from '../../ui/number.tsx'
import { Card, Facts, Page, Row, Stack } from '../../ui/page.tsx'
import { usePreference } from '../../ui/preference.ts'
import { Group, Section } from '../../ui/section.tsx'
import { Bone } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { useApplications } from './applications.ts'
import { DeleteUser } from './delete-user.tsx'
import { daysOfPeriod, noonOfDay, periodPoints } from './period-points.ts'
import { SetLimit } from './set-limit.tsx'
import { badgeOf, stateOf } from './state.ts'
import { UserAccounts } from './user-accounts.tsx'
import { UserCalls } from './user-calls.tsx'
import { type Period, type UserDetail, UserFigures } from './user-figures.tsx'
import { UserHistory } from './user-history.tsx'
import { UserNotices } from './user-notices.tsx'
import styles from './user-page.module.css'
import { WORDS } from './words.ts'

const { user: words } = WORDS

const HEIGHT = 240

type Props = { appKey: string; userId: string }

/** One user. Data of each service is read and shown in separate sections. */
export function UserPage({ appKey, userId }: Props): ReactNode {
  const [setting, setSetting] = useDialogInAddress('limit')
  const { why } = useMay('developer')
  const applications = useApplications().data
  const application = applications?.find((each) => each.appKey === appKey)
  const reading = useRead(insights, getUserDetail, { query: { app_key: appKey, user_id: userId } }, { every: 15_000 })
  const unknown = reading.error?.code === 'user_not_found'
  const user = reading.data
  const users = (
    <PageLink key="users" page="users">
      {WORDS.title}
    </PageLink>
  )
  if (applications !== undefined && application === undefined) {
    return (
      <Page title={userId} path={[users]}>
        <Empty title={words.noApplication} help={words.noApplicationHelp(appKey)} />
      </Page>
    )
  }
  return (
    <Page
      title={userId}
      about={application?.name ?? appKey}
      path={[users]}
      badge={
        <>
          <Copy text={userId} what={WORDS.list.user} />
          {user !== undefined && <Badge soft {...badgeOf(stateOf(user))} />}
          <SuspensionBadge of={{ app_key: appKey, user_id: userId }} />
        </>
      }
      actions={
        <Button tone="accent" icon={<SquarePen />} why={why} onClick={() => setSetting(true)}>
          {WORDS.user.setLimit}
        </Button>
      }
    >
      {user?.blocked_until != null && (
        <Notice tone="bad" title={WORDS.user.blocked}>
          {WORDS.user.blockedHelp} <Time at={user.blocked_until} as="dated" />.
        </Notice>
      )}
      {unknown ? (
        <Empty title={WORDS.user.unknown} help={WORDS.user.unknownHelp} />
      ) : (
        <Section title={WORDS.user.title} reading={reading} asOf>
          {(data) => (
            <Stack gap={6}>
              <UserFigures user={data} />
              {data.period !== null && <PeriodCurve appKey={appKey} user={data} period={data.period} />}
              <div className={styles.columns}>
                <UserLimit user={data} blocks={application?.blocks} />
                <UserNotices user={data} />
              </div>
            </Stack>
          )}
        </Section>
      )}
      <UserCalls appKey={appKey} userId={userId} />
      <UserAccounts appKey={appKey} userId={userId} />
      {user !== undefined && <UserHistory appKey={appKey} userId={userId} />}
      <Suspension of={{ app_key: appKey, user_id: userId }} name={userId} />
      <DeleteUser appKey={appKey} userId={userId} application={application?.name ?? appKey} />
      {setting && why === undefined && (
        <SetLimit
          appKey={appKey}
          userId={userId}
          current={user?.current_limit}
          blocks={application?.blocks === true}
          onClose={() => setSetting(false)}
        />
      )}
    </Page>
  )
}

/** The tasks of the current period as a curve towards the limit. */
function PeriodCurve({ appKey, user, period }: { appKey: string; user: UserDetail; period: Period }): ReactNode {
  const now = useNow(60_000)
  const [zone] = usePreference('zone')
  const reading = useRead(areaB(useWorkspaceId()), getUserTaskHistory, {
    params: { id: user.user_id },
    query: { app_key: appKey, ...daysOfPeriod(period, now) },
  })
  const { tasks_consumed: consumed, current_limit: limit } = user
  return (
    <Section title={WORDS.user.curve} about={WORDS.user.curveAbout} reading={reading} skeleton={<Bone width="100%" height={HEIGHT} />}>
      {({ days }) => (
        <Card>
          <Line
            label={WORDS.user.curve}
            points={periodPoints(days, period, consumed, now).map(({ at, total }) => ({ at, values: [total] }))}
            series={[{ name: WORDS.user.total, tone: 'accent' }]}
            step="day"
            height={HEIGHT}
            limit={limit}
            levels={[80]}
            projected={projectedAt(consumed, new Date(period.starts_at), now, new Date(period.ends_at))}
            marks={user.notices.map(({ event_name, at }) => ({
              at: noonOfDay(at),
              name: `${event_name}, ${formatInstant(new Date(at), zone)}`,
            }))}
          />
        </Card>
      )}
    </Section>
  )
}

/** The limit of a user, where it comes from, and the period that it applies to. */
function UserLimit({ user, blocks }: { user: UserDetail; blocks: boolean | undefined }): ReactNode {
  const { limit_source: source, period } = user
  return (
    <Group title={words.limit} about={words.limitAbout}>
      <Facts
        facts={[
          [words.current, <Num key="limit" value={user.current_limit} />],
          [
            words.source,
            <Row key="source">
              <Tag>{WORDS.sources[source]}</Tag>
              <span>
                {WORDS.sourceHelp[source]}{' '}
                {source !== 'own' && (
                  <PageLink page="users" path="limits">
                    {words.changeAll}
                  </PageLink>
                )}
              </span>
            </Row>,
          ],
          [words.periodLength, words.days(user.limit_period)],
          ...(period === null ? [] : [[words.between, <Time key="from" at={period.starts_at} as="dated" />] as const]),
          ...(blocks === undefined ? [] : [[words.atLimit, blocks ? WORDS.limits.block : WORDS.limits.allow] as const]),
          [words.blockedUntil, user.blocked_until === null ? words.notBlocked : <Time key="blocked" at={user.blocked_until} as="dated" />],
          [words.firstSeen, <Time key="seen" at={user.first_seen_at} as="dated" />],
        ]}
      />
    </Group>
  )
}
