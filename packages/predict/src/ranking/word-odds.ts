/** The number of average prompts that are added to the prompts of each function, because a single prompt proves little. */
const AVERAGE_ONES = 3

/**
 * Computes by naive Bayes how much more often each function's prompts contain the words of a text than all prompts do. Only positive
 * evidence counts. `functions` holds the function of each prompt, `postings` the prompts that contain a stem. Returns, for each function, a
 * sum of natural logarithms; 0 without evidence.
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
      // Slightly higher than the observed share, because few prompts may not show all uses of a word.
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
