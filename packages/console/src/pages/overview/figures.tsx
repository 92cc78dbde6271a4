import type { readCallStatistics as Contract, ResponseOf } from '@onward/contract'
import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { readCallStatistics } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import { useAppKey } from '../../shell/application-filter.tsx'
import { PageLink, type Search } from '../../shell/links.tsx'
import { formatCount, formatDuration, formatPercent } from '../../text/format.ts'
import { Figure, Num, Figures as Row } from '../../ui/number.tsx'
import { type Reading, Section } from '../../ui/section.tsx'
import { Bone } from '../../ui/skeleton.tsx'
import styles from './overview.module.css'
import type { PeriodName, Span } from './period.ts'
import { OVERVIEW_WORDS } from './words.ts'

const WORDS = OVERVIEW_WORDS.figures

export type Statistics = ResponseOf<typeof Contract>
export type StatisticsScope = { readonly workspace_id: string; readonly app_key: string | undefined }
type Total = Statistics['totals'][number]

type FiguresProps = { reading: Reading<Statistics>; scope: StatisticsScope; span: Span; period: PeriodName }

/** The period in four numbers, each with a link to its calls and how it compares to the period before. */
export function Figures({ reading, scope, span, period }: FiguresProps): ReactNode {
  const appKey = useAppKey()
  const times = { since: span.before.toISOString(), until: span.since.toISOString() }
  const before = useRead(functions, readCallStatistics, { query: { ...scope, ...times } })
  const link: MakeLink = (content, search = {}, className = styles.note) => (
    <PageLink page="calls" search={{ app_key: appKey, period, ...search }} className={className}>
      {content}
    </PageLink>
  )
  return (
    <Section hideTitle title={WORDS.title} reading={reading} skeleton={<Bone width="100%" height={104} />}>
      {({ totals: [total] }) => (
        <Row>
          <Figure
            name={WORDS.calls}
            value={link(<Num value={total?.calls ?? 0} />, {}, styles.value)}
            note={<Change calls={total?.calls ?? 0} before={before.data} />}
          />
          <Figure
            name={WORDS.success}
            value={total === undefined ? WORDS.none : formatPercent(1 - total.failed / total.calls)}
            note={total === undefined ? WORDS.noCalls : failedNote(total, link)}
          />
          <Figure
            name={WORDS.p95}
            value={total?.p95_ms == null ? WORDS.none : link(formatDuration(total.p95_ms), { slow: String(total.p95_ms) }, styles.value)}
            note={total?.p50_ms == null ? WORDS.noCalls : WORDS.median(formatDuration(total.p50_ms))}
          />
          <Figure
            name={WORDS.tasks}
            value={<Num value={total?.tasks ?? 0} />}
            note={total === undefined ? WORDS.noCalls : taskNote(total, link)}
          />
        </Row>
      )}
    </Section>
  )
}

type MakeLink = (content: ReactNode, search?: Search, className?: string) => ReactNode

function failedNote({ failed }: Total, link: MakeLink): ReactNode {
  return failed === 0 ? WORDS.noFailure : link(formatCount(failed, WORDS.failed.one, WORDS.failed.other), { failed: '1' })
}

function taskNote({ calls, tasks }: Total, link: MakeLink): ReactNode {
  const unsent = calls - tasks
  return unsent === 0 ? WORDS.allTasks : link(formatCount(unsent, WORDS.noTasks.one, WORDS.noTasks.other), { outcome: 'unreachable' })
}

/** How the number of calls compares to the period before. */
function Change({ calls, before }: { calls: number; before: Statistics | undefined }): ReactNode {
  if (before === undefined) return '\u00a0'
  const then = before.totals[0]?.calls ?? 0
  if (then === 0) return WORDS.noneBefore
  const change = calls / then - 1
  const share = formatPercent(Math.abs(change))
  return <span title={WORDS.before}>{Math.abs(change) < 0.001 ? WORDS.same : change > 0 ? WORDS.more(share) : WORDS.less(share)}</span>
}
