import type { Unfit } from '../src/ranking/nothing-fits.ts'

/** Two or three prompts of a half after each other, so that a long prompt alone is no sign that something fits. */
export function joinPrompts(single: readonly Unfit[], half: Unfit['half']): Unfit[] {
  const own = single.filter((each) => each.half === half)
  const at = (i: number) => own[i % own.length] as Unfit
  return own.flatMap((first, i) => {
    if (i % 2 === 1) return []
    const parts = [first, at(i * 7 + 40), ...(i % 4 === 0 ? [at(i * 3 + 90)] : [])]
    return { prompt: parts.map(({ prompt }) => prompt.replace(/[^?!.]$/, '$&.')).join(' '), half, kind: 'joined' }
  })
}
