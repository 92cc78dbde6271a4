import { fill } from '@onward/texts/embed'
import { type ReactNode, useCallback, useMemo } from 'react'
import { formatDays, formatMinute, formatNumber, formatPercent, formatUntil } from '../text/format.ts'
import { UsageBar } from '../ui/bar.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Line } from '../ui/chart/line.tsx'
import { Notice } from '../ui/empty.tsx'
import { useNow } from '../ui/media.ts'
import { Section } from '../ui/section.tsx'
import { Bone } from '../ui/skeleton.tsx'
import type { EmbedClient, Usage } from './client.ts'
import page from './page.module.css'
import { texts } from './texts.ts'
import { curveOf } from './usage-curve.ts'
import styles from './usage-view.module.css'
import { useLoaded } from './use-loaded.ts'

/** Percentages of the limit that are marked. */
const LEVELS = [80]
const NEAR = 80

/** How many tasks the user has consumed, how many are left, and when the count begins again. The user raises the limit at `limitUrl`. */
export function UsageView({ client, limitUrl }: { client: EmbedClient; limitUrl: string | undefined }): ReactNode {
  const reading = useLoaded(useCallback((signal: AbortSignal) => client.usage(signal), [client]))
  return (
    <div className={page.card}>
      <Section title={texts().usageTitle} reading={reading} skeleton={<Shape />}>
        {(usage) => <Content usage={usage} limitUrl={limitUrl} />}
      </Section>
    </div>
  )
}

type ContentProps = { usage: Usage; limitUrl: string | undefined }

function Content({ usage, limitUrl }: ContentProps): ReactNode {
  const { current_limit: limit, tasks_consumed: consumed, tasks_remaining: left } = usage
  const t = texts()
  const over = consumed > limit
  const points = useMemo(() => curveOf(usage), [usage])
  return (
    <div className={styles.content}>
      <div className={styles.sum}>
        <p className={styles.figure}>
          <strong>{formatNumber(consumed)}</strong> {fill(t.of, { limit: formatNumber(limit) })}
          {over && <span className={styles.over}>{fill(t.over, { count: formatNumber(consumed - limit) })}</span>}
        </p>
        {/* A percentage above 100 says less than the number of tasks over the limit. */}
        <UsageBar consumed={consumed} limit={limit} levels={LEVELS} bare={over || limit === 0} label={t.bar} />
      </div>
      <State usage={usage} limitUrl={limitUrl} />
      <dl className={styles.facts}>
        {left > 0 && <Fact name={t.left}>{formatNumber(left)}</Fact>}
        <Fact name={t.resets} wide>
          <Reset usage={usage} />
        </Fact>
      </dl>
      {limit > 0 && points.length > 0 && (
        <Line
          label={t.curve}
          points={points}
          series={[{ name: t.used, tone: 'accent' }]}
          step="day"
          limit={limit}
          limitName={t.limit}
          levels={LEVELS}
        />
      )}
      <p className={styles.note}>{t.task}</p>
    </div>
  )
}

function Fact({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }): ReactNode {
  return (
    <div className={wide ? styles.wide : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Reset({ usage: { period, limit_period } }: { usage: Usage }): ReactNode {
  const now = useNow()
  if (period === null) return fill(texts().notBegun, { days: formatDays(Number(limit_period)) })
  const at = new Date(period.ends_at)
  return (
    <>
      <time dateTime={period.ends_at}>{formatMinute(at, 'local')}</time> <span className={styles.relative}>{formatUntil(at, now)}</span>
    </>
  )
}

/** What the limit means for the user now, and what the user can do. Nothing while it is far away. */
function State({ usage, limitUrl }: ContentProps): ReactNode {
  const { current_limit: limit, tasks_consumed: consumed, tasks_consumed_percent: percent, on_limit: onLimit, blocked_until: until } = usage
  const t = texts()
  const action = limitUrl !== undefined && (
    // The page of the application must not appear inside its own frame.
    <a className={buttonClass(consumed >= limit ? 'accent' : 'plain', 'small')} href={limitUrl} target="_top" rel="noreferrer">
      {t.raiseLimit}
    </a>
  )
  if (until !== null) {
    return (
      <Notice tone="bad" title={t.limitReached} action={action}>
        {fill(t.paused, { time: formatMinute(new Date(until), 'local') })}
      </Notice>
    )
  }
  if (consumed >= limit) {
    return (
      <Notice tone="warn" title={t.limitReached} action={action}>
        {onLimit === 'allow' ? t.stillWork : undefined}
      </Notice>
    )
  }
  if (percent < NEAR) return null
  return (
    <Notice tone="warn" title={fill(t.near, { percent: formatPercent(percent / 100) })} action={action}>
      {onLimit === 'block' ? t.nearBlock : t.nearAllow}
    </Notice>
  )
}

function Shape(): ReactNode {
  return (
    <div className={styles.content}>
      <div className={styles.sum}>
        <Bone width="60%" height={26} />
        <Bone width="100%" height={6} />
      </div>
      <Bone width="45%" />
      <Bone width="100%" height={168} />
    </div>
  )
}
