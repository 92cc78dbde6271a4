import { median } from '../numbers.ts'

/** A goal for the speed of something. */
export type Goal = {
  /** `P1` and so on. */
  readonly name: string
  readonly what: string
  /** One value of each round. Their median must reach the goal. */
  readonly values: readonly number[]
  readonly unit: string
} & ({ readonly atMost: number } | { readonly atLeast: number })

export function isMet(goal: Goal): boolean {
  return 'atMost' in goal ? median(goal.values) <= goal.atMost : median(goal.values) >= goal.atLeast
}

/** Returns the lines of a Markdown table. */
export function goalTable(goals: readonly Goal[]): string[] {
  const lines = goals.map((goal) => {
    const limit = 'atMost' in goal ? `at most ${goal.atMost}` : `at least ${goal.atLeast}`
    return `| ${goal.name} | ${goal.what} | ${spread(goal.values, goal.unit)} | ${limit} | ${isMet(goal) ? 'met' : 'missed'} |`
  })
  return ['| Goal | What | Median (min–max) | Goal | |', '|---|---|--:|--:|---|', ...lines]
}

/** Returns the median with the minimum and the maximum, each with three significant digits. */
export function spread(values: readonly number[], unit = ''): string {
  const text = (value: number) => (Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3))))
  const range = values.length > 1 ? ` (${text(Math.min(...values))}–${text(Math.max(...values))})` : ''
  return `${text(median(values))}${unit && ` ${unit}`}${range}`
}
