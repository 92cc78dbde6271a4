import type { ReactNode } from 'react'
import { formatCount, formatNumber } from '../../text/format.ts'
import { Spark } from '../../ui/chart/spark.tsx'
import type { Sparks } from './states.ts'
import styles from './webhooks.module.css'
import { TEXT } from './words.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** The deliveries of the last 24 hours as bars, with their number. Nothing while they load. */
export function Health({ sparks }: { sparks: Sparks | undefined }): ReactNode {
  if (sparks === undefined) return null
  const all = sum(sparks.all)
  const failed = sum(sparks.failed)
  const count = formatCount(all, TEXT.health.delivery.one, TEXT.health.delivery.other)
  return (
    <span className={styles.health} title={sparks.capped ? TEXT.health.capped : undefined}>
      <Spark label={TEXT.health.label(count, formatNumber(failed))} values={sparks.all} failed={sparks.failed} />
      <span className={styles.counts}>
        {sparks.capped ? `${formatNumber(all)}+` : all === 0 ? TEXT.health.none : formatNumber(all)}
        {failed > 0 && <span className={styles.failed}>{TEXT.health.failed(formatNumber(failed))}</span>}
      </span>
    </span>
  )
}
