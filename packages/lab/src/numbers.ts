import { openRandom } from '@onward/testbed'

/** Random choices that a seed reproduces. */
export type Chance = {
  /** Returns a number from `from` up to, but not including, `to`. */
  between(from: number, to: number): number
  pick<T>(list: readonly T[]): T
  shuffle<T>(list: readonly T[]): T[]
}

export function openChance(seed: number): Chance {
  const next = openRandom(seed)
  return {
    between: (from, to) => from + next() * (to - from),
    pick(list) {
      const [item] = list.slice(Math.floor(next() * list.length))
      if (item === undefined) throw new Error('the list is empty')
      return item
    },
    shuffle: (list) =>
      list
        .map((item) => ({ item, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  }
}

/** Returns the value below which a share of the values lies: 0.5 is the median. NaN if there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
