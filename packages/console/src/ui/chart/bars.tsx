import type { ReactNode } from 'react'
import styles from './chart.module.css'
import { type Chosen, Frame, type Point, type Series } from './frame.tsx'
import { scaleOf } from './scale.ts'

type BarsProps = {
  label: string
  points: readonly Point[]
  /** From the bottom of a bar to its top. */
  series: readonly Series[]
  step: 'hour' | 'day'
  height?: number
  onSelect?: (chosen: Chosen) => void
  bare?: boolean
  format?: (value: number) => string
}

/** Stacked bars over time. With `onSelect`, dragging across them, or Shift and arrow keys, chooses a period. */
export function Bars({ points, series, ...rest }: BarsProps): ReactNode {
  const scale = scaleOf(Math.max(0, ...points.map(({ values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0))))
  return (
    <Frame points={points} series={series} scale={scale} {...rest}>
      {({ x, y, step, height }, active) => {
        const gap = step > 8 ? 3 : step > 3 ? 1 : 0
        const width = Math.min(28, Math.max(1, step - gap))
        return points.map((point, at) => {
          let below = 0
          return (
            <g key={point.at.getTime()} opacity={active === undefined || active === at ? 1 : 0.72}>
              {series.map(({ name, tone }, index) => {
                const value = point.values[index] ?? 0
                if (value <= 0) return null
                const bottom = y(below)
                below += value
                // A few failures among many calls must stay visible.
                const size = Math.max(bottom - y(below), 1.5)
                return (
                  <rect
                    key={name}
                    x={x(at) - width / 2}
                    y={Math.min(bottom - size, height - 1)}
                    width={width}
                    height={size}
                    rx={width > 5 ? 1.5 : 0}
                    className={styles[tone]}
                  />
                )
              })}
            </g>
          )
        })
      }}
    </Frame>
  )
}
