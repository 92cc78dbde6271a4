import { SquarePen } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { getUserDetail } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { PageLink } from '../../shell/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { useApplications } from './applications.ts'
import { PeriodCurve } from './period-curve.tsx'
import { SetLimit } from './set-limit.tsx'
import { badgeOf, stateOf } from './state.ts'
import { UserAccounts } from './user-accounts.tsx'
import { UserCalls } from './user-calls.tsx'
import { UserFigures } from './user-figures.tsx'
import { UserHistory } from './user-history.tsx'
import { UserLimit } from './user-limit.tsx'
import { UserNotices } from './user-notices.tsx'
import styles from './user-page.module.css'
import { WORDS } from './words.ts'

type Props = { appKey: string; userId: string }

/** One user. Data of each service is read and shown in separate sections. */
export function UserPage({ appKey, userId }: Props): ReactNode {
  const [setting, setSetting] = useState(false)
  const { why } = useMay('developer')
  const application = useApplications().data?.find((each) => each.appKey === appKey)
  const reading = useRead(insights, getUserDetail, { query: { app_key: appKey, user_id: userId } }, { every: 15_000 })
  const unknown = reading.error?.code === 'user_not_found'
  const user = reading.data
  return (
    <Page
      title={userId}
      about={application?.name ?? appKey}
      path={[
        <PageLink key="users" page="users">
          {WORDS.title}
        </PageLink>,
      ]}
      badge={user !== undefined && <Badge soft {...badgeOf(stateOf(user))} />}
      actions={
        <Button tone="accent" icon={<SquarePen />} why={why} onClick={() => setSetting(true)}>
          {WORDS.user.setLimit}
        </Button>
      }
    >
      {user?.blocked_until != null && (
        <Notice tone="bad" title={WORDS.user.blocked}>
          {WORDS.user.blockedHelp} <Time at={user.blocked_until} as="exact" />.
        </Notice>
      )}
      {unknown ? (
        <Empty title={WORDS.user.unknown} help={WORDS.user.unknownHelp} />
      ) : (
        <Section title={WORDS.user.title} reading={reading} asOf>
          {(data) => (
            <div className={styles.parts}>
              <UserFigures user={data} />
              {data.period !== null && <PeriodCurve appKey={appKey} user={data} period={data.period} />}
              <div className={styles.columns}>
                <UserLimit user={data} blocks={application?.blocks} />
                <UserNotices user={data} />
              </div>
            </div>
          )}
        </Section>
      )}
      <UserCalls appKey={appKey} userId={userId} />
      <UserAccounts appKey={appKey} userId={userId} />
      {user !== undefined && <UserHistory appKey={appKey} userId={userId} />}
      {setting && (
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
