import type { getUserDetail, ResponseOf } from '@onward/contract'
import type { ReactNode } from 'react'
import { PageLink } from '../shell/links.tsx'
import { formatNumber } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { Badge } from '../ui/badge.tsx'
import { Row } from '../ui/page.tsx'

type Deliveries = ResponseOf<typeof getUserDetail>['notices'][number]['deliveries']

/** So many deliveries are shown. */
const SHOWN = 3
const TONES = { pending: 'accent', delivered: 'good', failed: 'bad' } as const

/** The state of each delivery of a notice, as a link to the delivery. */
export function DeliveryLinks({ deliveries }: { deliveries: Deliveries }): ReactNode {
  const more = deliveries.length - SHOWN
  return (
    <Row gap={3}>
      {deliveries.slice(0, SHOWN).map(({ delivery_id: id, status }) => (
        <PageLink key={id} page="webhooks" path={`deliveries/${id}`}>
          <Badge tone={TONES[status]} text={WORDS.deliveries.states[status]} />
        </PageLink>
      ))}
      {more > 0 && <span>{WORDS.deliveries.more(formatNumber(more))}</span>}
    </Row>
  )
}
