import type { ReactNode } from 'react'
import { type LastDay, NO_CALLS } from '../../parts/last-day.ts'
import { formatCompact, formatCount, formatNumber } from '../../text/format.ts'
import { Spark } from '../../ui/chart/spark.tsx'
import styles from './catalog.module.css'
import { CATALOG } from './words.ts'

/** Calls and failures of the last 24 hours at a glance. */
export function HealthSpark({ health = NO_CALLS }: { health?: LastDay | undefined }): ReactNode {
  if (health.allCalls === 0) {
    return (
      <span className={styles.idle} title={CATALOG.noCalls}>
        –<span className="hidden">{CATALOG.noCalls}</span>
      </span>
    )
  }
  return (
    <span className={styles.health}>
      <Spark label={textOf(health)} values={health.calls} failed={health.failed} width={84} />
      <span aria-hidden="true">{formatCompact(health.allCalls)}</span>
      {health.allFailed > 0 && (
        <span aria-hidden="true" className={styles.failed}>
          {CATALOG.failed(formatCompact(health.allFailed))}
        </span>
      )}
    </span>
  )
}

function textOf({ allCalls, allFailed }: LastDay): string {
  return CATALOG.calls(formatCount(allCalls, CATALOG.call.one, CATALOG.call.other), formatNumber(allFailed))
}
