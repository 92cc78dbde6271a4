/** The highest level reached in a window, in percent, and how often the window was armed again after a raised limit. */
export type Mark = { readonly level: number; readonly armSeq: number }

/** The whole percentage of the limit that is used up, at most 100: whole numbers only, so that 79.996 % is never 80. */
export function levelOf(consumed: number, limit: number): number {
  if (consumed === 0) return 0
  if (limit === 0) return 100
  const percent = (BigInt(consumed) * 100n) / BigInt(limit)
  return percent > 100n ? 100 : Number(percent)
}

/** With how many tasks a level of 1 to 100 is reached. */
export function tasksAtLevel(level: number, limit: number): number {
  return Math.max(1, Number((BigInt(limit) * BigInt(level) + 99n) / 100n))
}

/**
 * Where a mark goes when consumption moves from `before` to `consumed` under a limit that may have changed since.
 * First the limit's part: a raised one takes the mark down and arms it again. Then consumption's: levels in (`from`, `mark.level`] are newly reached.
 */
export function moveMark(mark: Mark, before: number, consumed: number, limit: number): { mark: Mark; from: number } {
  const lowered = levelOf(before, limit) < mark.level
  const start = lowered ? { level: levelOf(before, limit), armSeq: mark.armSeq + 1 } : mark
  return { mark: { ...start, level: Math.max(start.level, levelOf(consumed, limit)) }, from: start.level }
}
