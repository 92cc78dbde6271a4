/** All prompts of a function count as if so many average ones were among them: a single prompt proves little. */
const AVERAGE_ONES = 3

/**
 * How much more often each function's prompts have a text's words than all prompts do: naive Bayes, of what speaks for a function only. `functions` tells the function
 * of each prompt, `postings` the prompts that have a stem. The answer is by function: a sum of natural logarithms, 0 where nothing speaks for it.
 */
export function openWordOdds(
  functions: Uint32Array,
  size: number,
  postings: ReadonlyMap<string, Uint32Array>,
): (stems: Iterable<string>) => Float32Array {
  const prompts = new Uint32Array(size)
  for (const each of functions) (prompts[each] as number)++
  return (stems) => {
    const odds = new Float32Array(size)
    const times = new Uint32Array(size)
    for (const stem of stems) {
      const list = postings.get(stem) ?? []
      const having: number[] = []
      for (const i of list) {
        const number = functions[i] as number
        if ((times[number] as number)++ === 0) having.push(number)
      }
      // A little more than there are: of few prompts, none of a word's many uses may have been seen.
      const share = (list.length + 1) / (functions.length + 20)
      for (const number of having) {
        const own = ((times[number] as number) + AVERAGE_ONES * share) / ((prompts[number] as number) + AVERAGE_ONES)
        ;(odds[number] as number) += Math.max(0, Math.log(own / share))
        times[number] = 0
      }
    }
    return odds
  }
}
