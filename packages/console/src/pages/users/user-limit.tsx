import type { ReactNode } from 'react'
import { PageLink } from '../../shell/links.tsx'
import { Tag } from '../../ui/badge.tsx'
import { Num } from '../../ui/number.tsx'
import { Facts, Row } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import type { UserDetail } from './user-figures.tsx'
import { WORDS } from './words.ts'

const { user: words } = WORDS

/** The limit of a user, where it comes from, and the period that it applies to. */
export function UserLimit({ user, blocks }: { user: UserDetail; blocks: boolean | undefined }): ReactNode {
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
          ...(period === null ? [] : [[words.between, <Time key="from" at={period.starts_at} as="short" />] as const]),
          ...(blocks === undefined ? [] : [[words.atLimit, blocks ? WORDS.limits.block : WORDS.limits.allow] as const]),
          [words.blockedUntil, user.blocked_until === null ? words.notBlocked : <Time key="blocked" at={user.blocked_until} as="short" />],
          [words.firstSeen, <Time key="seen" at={user.first_seen_at} as="short" />],
        ]}
      />
    </Group>
  )
}
