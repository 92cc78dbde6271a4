/**
 * `level`: the highest level reached in a period, in percent. `timesLowered`: how often a raised limit has lowered the level, so that levels
 * could be reached again. The same level with a higher `timesLowered` is announced again.
 */
type Level = { readonly level: number; readonly timesLowered: number }

/** Returns the whole percentage of the limit that is consumed, at most 100. Uses whole numbers only, so that 79.996 % is never 80. */
export function levelOf(consumed: number, limit: number): number {
  if (consumed === 0) return 0
  if (consumed >= limit) return 100
  // Up to this size the product is exact, and its quotient never rounds up to the next whole number. Big integers are slower.
  if (consumed <= Number.MAX_SAFE_INTEGER / 100) return Math.floor((consumed * 100) / limit)
  return Number((BigInt(consumed) * 100n) / BigInt(limit))
}

/** Returns the number of tasks at which a level of 1 to 100 is reached. */
export function tasksAtLevel(level: number, limit: number): number {
  return Math.max(1, Number((BigInt(limit) * BigInt(level) + 99n) / 100n))
}

/**
 * Returns the level after consumption has risen from `before` to `consumed`, under a limit that may have changed since. First, a raised
 * limit lowers the level and increments `timesLowered`, so that levels can be reached again. Then consumption raises the level: those above
 * `from`, up to the returned one, are newly reached.
 */
export function moveLevel(current: Level, before: number, consumed: number, limit: number): { reached: Level; from: number } {
  const lowered = levelOf(before, limit) < current.level
  const start = lowered ? { level: levelOf(before, limit), timesLowered: current.timesLowered + 1 } : current
  return { reached: { ...start, level: Math.max(start.level, levelOf(consumed, limit)) }, from: start.level }
}
