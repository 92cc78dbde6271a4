/** The rank of the first right function, from 1; 0 where none is there. Case and punctuation of names do not matter. */
export function rankOf(gold: readonly string[], ranked: readonly string[]): number {
  const right = new Set(gold.map(keyOf))
  return ranked.findIndex((name) => right.has(keyOf(name))) + 1
}

export function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
