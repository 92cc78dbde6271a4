/**
 * Deliveries that one transaction makes at the most, unless it is about one user: they take about a second, and for so long others wait
 * for its locks.
 */
const MOST_DELIVERIES = 20_000

/** A transaction would make more deliveries than it may; it can be rolled back, or go on without having told anything. */
export class TooManyDeliveries extends Error {
  constructor(count: number) {
    super(`${count} deliveries are too many for one transaction`)
  }
}

/** How many deliveries a transaction may make that is about so many users, or tasks: one alone can't be put off to another. */
export function mostDeliveries(about: number): number {
  return about > 1 ? MOST_DELIVERIES : Number.POSITIVE_INFINITY
}
