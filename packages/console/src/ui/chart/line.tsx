import { type ReactNode, useId } from 'react'
import { formatNumber, formatPercent } from '../../text/format.ts'
import { WORDS } from '../../text/words.ts'
import { cx } from '../cx.ts'
import styles from './chart.module.css'
import { Frame, type Point, type Series } from './frame.tsx'
import { areaPath, linePath, projectionOf, scaleOf } from './scale.ts'

type LineProps = {
  label: string
  points: readonly Point[]
  /** The first has an area below its line. */
  series: readonly Series[]
  step: 'hour' | 'day'
  height?: number
  bare?: boolean
  format?: (value: number) => string
  /** A limit that the line climbs towards. */
  limit?: number
  limitName?: string
  /** Percentages of the limit at which notices are sent, drawn as fine lines. */
  levels?: readonly number[]
  /** The value of the first series at the end of the period if it goes on like this: a dashed line from the last value. */
  projected?: number | undefined
  /** Moments that are marked on the first line, such as notices that were sent. */
  marks?: readonly { readonly at: Date; readonly name: string }[]
}

/** Lines over time, such as usage that climbs towards its limit. Points after now have null values. */
export function Line({
  points,
  series,
  limit,
  limitName = WORDS.chart.limit,
  levels = [],
  projected,
  marks = [],
  ...rest
}: LineProps): ReactNode {
  const gradient = useId()
  const known = Math.max(0, limit ?? 0, ...points.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const now = points.findLast(({ values }) => values[0] != null)?.values[0] ?? 0
  const projection = projected === undefined ? undefined : projectionOf(projected, now, known)
  const largest = Math.max(known, projection?.end ?? 0)
  const limitSeries: Series[] = limit === undefined ? [] : [{ name: limitName, tone: 'bad', line: true }]
  const shown = limit === undefined ? points : points.map(({ at, values }) => ({ at, values: [...values, limit] }))
  return (
    <Frame points={shown} series={[...series, ...limitSeries]} scale={scaleOf(largest)} {...rest}>
      {({ x, y, width, height }, active) => {
        const lines = series.map((_, index) =>
          points.flatMap(({ values }, at) => {
            const value = values[index]
            return value == null ? [] : [[x(at), y(value)] as const]
          }),
        )
        const main = lines[0] ?? []
        const last = main.at(-1)
        return (
          <>
            <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
              <stop offset="0" className={styles.areaTop} />
              <stop offset="1" className={styles.areaBottom} />
            </linearGradient>
            <path d={areaPath(main, height)} fill={`url(#${gradient})`} />
            {limit !== undefined && (
              <>
                {levels
                  .filter((level) => level < 100)
                  .map((level) => (
                    <g key={level}>
                      <line x1={0} x2={width} y1={y((limit * level) / 100)} y2={y((limit * level) / 100)} className={styles.levelLine} />
                      <text x={4} y={y((limit * level) / 100) - 4} className={cx(styles.axis, styles.levelText)}>
                        {formatPercent(level / 100)}
                      </text>
                    </g>
                  ))}
                <line x1={0} x2={width} y1={y(limit)} y2={y(limit)} className={styles.limitLine} />
                <text x={4} y={y(limit) - 4} className={cx(styles.axis, styles.limitText)}>
                  {limitName} {formatNumber(limit)}
                </text>
              </>
            )}
            {lines.map((line, index) => (
              <path key={series[index]?.name} d={linePath(line)} className={cx(styles.line, styles[series[index]?.tone ?? 'accent'])} />
            ))}
            {lines.map(([spot, ...more], index) =>
              // A line through one point has no length.
              spot === undefined || more.length > 0 ? null : (
                <circle key={series[index]?.name} cx={spot[0]} cy={spot[1]} r={3} className={styles[series[index]?.tone ?? 'accent']} />
              ),
            )}
            {projection !== undefined && last !== undefined && (
              <line
                x1={last[0]}
                y1={last[1]}
                x2={last[0] + (x(points.length - 1) - last[0]) * projection.share}
                y2={y(projection.end)}
                className={styles.projected}
              >
                <title>{WORDS.chart.projected}</title>
              </line>
            )}
            {marks.map(({ at, name }) => {
              const index = points.findLastIndex((point) => point.at <= at)
              const spot = main[index]
              return spot === undefined ? null : (
                <rect
                  key={name}
                  x={spot[0] - 4}
                  y={spot[1] - 4}
                  width={8}
                  height={8}
                  transform={`rotate(45 ${spot[0]} ${spot[1]})`}
                  className={styles.mark}
                >
                  <title>{name}</title>
                </rect>
              )
            })}
            {active !== undefined &&
              series.map(({ name, tone }, index) => {
                const value = points[active]?.values[index]
                return value == null ? null : (
                  <circle key={name} cx={x(active)} cy={y(value)} r={4} className={cx(styles.spot, styles[tone])} />
                )
              })}
          </>
        )
      }}
    </Frame>
  )
}
