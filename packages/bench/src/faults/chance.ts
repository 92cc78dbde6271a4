import { openRandom } from '@onward/testbed'

/** Chance that can be had again with the same seed. */
export type Chance = {
  /** In [from, to). */
  between(from: number, to: number): number
  pick<T>(list: readonly T[]): T
  shuffle<T>(list: readonly T[]): T[]
}

export function openChance(seed: number): Chance {
  const next = openRandom(seed)
  const chance: Chance = {
    between: (from, to) => from + next() * (to - from),
    pick(list) {
      if (list.length === 0) throw new Error('nothing to pick from')
      return list[Math.floor(next() * list.length)] as never
    },
    shuffle: (list) =>
      list
        .map((item) => ({ item, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  }
  return chance
}
