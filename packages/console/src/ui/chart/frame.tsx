import { DAY_MS, HOUR_MS } from '@onward/contract/pure'
import { ChartColumn, Table2 } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react'
import { formatCompact, formatDay, formatNumber, formatStep, formatTick } from '../../text/format.ts'
import { WORDS } from '../../text/words.ts'
import { Button } from '../button.tsx'
import { cx } from '../cx.ts'
import { useWidth } from '../media.ts'
import { usePreference } from '../preference.ts'
import styles from './chart.module.css'
import { labelled, labelledDays, pointAt, type Scale } from './scale.ts'

/** Colour of a series. `line` series have a line in the legend, others a square. */
type ChartTone = 'accent' | 'soft' | 'good' | 'warn' | 'bad' | 'neutral'
export type Series = { readonly name: string; readonly tone: ChartTone; readonly line?: boolean }

/** One point in time with a value for each series; null where a series has none. */
export type Point = { readonly at: Date; readonly values: readonly (number | null)[] }

/** Where things are drawn, in pixels: the plot goes from 0 to `width` and `height`. */
type Plot = {
  readonly width: number
  readonly height: number
  x(at: number): number
  y(value: number): number
  readonly step: number
}

/** What a reader chose by dragging or with the keyboard. `until` is exclusive. */
export type Chosen = { readonly since: Date; readonly until: Date }

type FrameProps = {
  /** Names the chart: `Calls per hour`. */
  label: string
  points: readonly Point[]
  series: readonly Series[]
  scale: Scale
  step: 'hour' | 'day'
  height?: number
  /** Makes the chart a filter. */
  onSelect?: ((chosen: Chosen) => void) | undefined
  /** Hides the legend, when the words around the chart say enough. */
  bare?: boolean
  format?: (value: number) => string
  children(plot: Plot, active: number | undefined): ReactNode
}

const AXIS = 40
const STEP_MS = { hour: HOUR_MS, day: DAY_MS } as const
/** More hours than these have days as labels. */
const MOST_HOURS = 48

/** Axes, legend, keyboard, hover and table of a chart over time. */
export function Frame(props: FrameProps): ReactNode {
  const { label, points, series, step, bare = false, format = formatNumber } = props
  const [table, setTable] = useState(false)
  const [zone] = usePreference('zone')
  return (
    <figure className={styles.chart} aria-label={label}>
      <div className={styles.top}>
        {!bare && (
          <ul className={styles.legend}>
            {series.map(({ name, tone, line }) => (
              <li key={name}>
                <span className={cx(styles.swatch, line && styles.lineSwatch, styles[tone])} aria-hidden="true" />
                {name}
              </li>
            ))}
          </ul>
        )}
        <Button
          tone="quiet"
          size="small"
          icon={table ? <ChartColumn /> : <Table2 />}
          aria-label={`${table ? WORDS.chart.chart : WORDS.chart.table}: ${label}`}
          title={table ? WORDS.chart.chart : WORDS.chart.table}
          className={styles.toggle}
          onClick={() => setTable(!table)}
        />
      </div>
      {table ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={styles.tableBox} aria-label={label} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{WORDS.chart.time}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map(({ at, values }) => (
                <tr key={at.getTime()}>
                  <th scope="row">{formatStep(at, step, zone)}</th>
                  {series.map(({ name }, index) => (
                    <td key={name}>{values[index] == null ? '–' : format(values[index])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        <Drawing {...props} />
      )}
    </figure>
  )
}

function Drawing({ label, points, series, scale, step, height = 168, onSelect, format = formatNumber, children }: FrameProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const helpId = useId()
  const outer = useWidth(box)
  const [zone] = usePreference('zone')
  const [active, setActive] = useState<number | undefined>(undefined)
  const [anchor, setAnchor] = useState<number | undefined>(undefined)
  const [focused, setFocused] = useState(false)
  const count = points.length
  const width = Math.max(0, outer - AXIS)
  const bottom = height - 22
  const plot: Plot = {
    width,
    height: bottom,
    step: count === 0 ? 0 : width / count,
    x: (at) => (count === 0 ? 0 : (width / count) * (at + 0.5)),
    y: (value) => bottom - (Math.min(value, scale.max) / scale.max) * (bottom - 8),
  }
  const ofDays = step === 'hour' && count > MOST_HOURS
  const labels = ofDays
    ? labelledDays(
        points.map(({ at }) => formatDay(at, zone)),
        width,
      )
    : labelled(count, width)
  const range = anchor === undefined || active === undefined ? undefined : ([Math.min(anchor, active), Math.max(anchor, active)] as const)

  const choose = (first: number, last: number) => {
    const since = points[first]?.at
    const end = points[last]?.at
    setAnchor(undefined)
    if (since !== undefined && end !== undefined)
      onSelect?.({ since, until: points[last + 1]?.at ?? new Date(end.getTime() + STEP_MS[step]) })
  }
  const at = (event: PointerEvent<HTMLElement>) =>
    pointAt(event.clientX - event.currentTarget.getBoundingClientRect().left - AXIS, width, count)
  const onKeyDown = (event: KeyboardEvent) => {
    const from = active ?? (event.key === 'ArrowLeft' ? count : -1)
    const to = { ArrowRight: from + 1, ArrowLeft: from - 1, Home: 0, End: count - 1, PageDown: from + 12, PageUp: from - 12 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      setAnchor(event.shiftKey && onSelect !== undefined ? (anchor ?? active ?? 0) : undefined)
      setActive(Math.max(0, Math.min(count - 1, to)))
    } else if (event.key === 'Enter' && active !== undefined && onSelect !== undefined) {
      choose(range?.[0] ?? active, range?.[1] ?? active)
    } else if (event.key === 'Escape' && anchor !== undefined) {
      event.stopPropagation()
      setAnchor(undefined)
    }
  }

  const point = active === undefined ? undefined : points[active]
  const valueText = point === undefined ? label : describe(point, series, format, formatStep(point.at, step, zone))
  return (
    <div
      ref={box}
      className={cx(styles.drawing, onSelect !== undefined && styles.selects)}
      style={{ height }}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, count - 1)}
      aria-valuenow={active ?? 0}
      aria-valuetext={valueText}
      aria-describedby={helpId}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        const byKeyboard = event.currentTarget.matches(':focus-visible')
        setFocused(byKeyboard)
        if (byKeyboard) setActive(active ?? count - 1)
      }}
      onBlur={() => {
        setFocused(false)
        setActive(undefined)
        setAnchor(undefined)
      }}
      onPointerMove={(event) => setActive(at(event))}
      onPointerLeave={() => {
        if (!focused) setActive(undefined)
        setAnchor(undefined)
      }}
      onPointerDown={(event) => {
        if (onSelect === undefined || event.pointerType === 'touch') return
        event.currentTarget.setPointerCapture(event.pointerId)
        setAnchor(at(event))
      }}
      onPointerUp={(event) => {
        const end = at(event)
        if (anchor !== undefined) choose(Math.min(anchor, end), Math.max(anchor, end))
      }}
    >
      {width > 0 && (
        <svg width={outer} height={height} aria-hidden="true">
          <g transform={`translate(${AXIS} 0)`}>
            {scale.ticks.map((tick) => (
              <g key={tick}>
                <line x1={0} x2={width} y1={Math.round(plot.y(tick)) + 0.5} y2={Math.round(plot.y(tick)) + 0.5} className={styles.grid} />
                <text x={-8} y={plot.y(tick) + 4} textAnchor="end" className={styles.axis}>
                  {formatCompact(tick)}
                </text>
              </g>
            ))}
            {range !== undefined && (
              <rect x={range[0] * plot.step} width={(range[1] - range[0] + 1) * plot.step} y={0} height={bottom} className={styles.range} />
            )}
            {active !== undefined && range === undefined && (
              <rect x={active * plot.step} width={plot.step} y={0} height={bottom} className={styles.band} />
            )}
            {children(plot, active)}
            {labels.map((index) => {
              const x = plot.x(index)
              const shown = points[index]
              // A label in the middle of its point would be cut at the end of the plot.
              if (shown === undefined || x > width - 16) return null
              return (
                <text key={index} x={Math.max(x, 14)} y={height - 4} textAnchor="middle" className={styles.axis}>
                  {formatTick(shown.at, ofDays ? 'day' : step, zone)}
                </text>
              )
            })}
          </g>
        </svg>
      )}
      {point !== undefined && active !== undefined && width > 0 && (
        <Reading
          left={AXIS + plot.x(active)}
          width={outer}
          title={formatStep(point.at, step, zone)}
          point={point}
          series={series}
          format={format}
        />
      )}
      <span id={helpId} className="hidden">
        {onSelect === undefined ? WORDS.chart.keys : WORDS.chart.keysSelect}
      </span>
    </div>
  )
}

function Reading(props: {
  left: number
  width: number
  title: string
  point: Point
  series: readonly Series[]
  format: (value: number) => string
}): ReactNode {
  const { left, width, title, point, series, format } = props
  const side = left > width / 2 ? { right: width - left + 12 } : { left: left + 12 }
  return (
    <div className={styles.reading} style={side} aria-hidden="true">
      <p>{title}</p>
      {series.map(({ name, tone, line }, index) => {
        const value = point.values[index]
        return value == null ? null : (
          <div key={name}>
            <span className={cx(styles.swatch, line && styles.lineSwatch, styles[tone])} />
            <span>{name}</span>
            <b>{format(value)}</b>
          </div>
        )
      })}
    </div>
  )
}

function describe({ values }: Point, series: readonly Series[], format: (value: number) => string, time: string): string {
  const parts = series.flatMap(({ name }, index) => (values[index] == null ? [] : [`${name} ${format(values[index])}`]))
  return `${time}: ${parts.join(', ')}`
}
