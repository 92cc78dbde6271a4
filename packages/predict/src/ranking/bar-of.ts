/** The share of the prompts that nothing fits which is refused. */
const REFUSED = 0.9

/**
 * The bar of a catalog: below it nothing fits. `unfit` are the probabilities that prompts which nothing fits have among its functions, for how
 * alike they look to something differs from catalog to catalog, and no bar holds for all of them.
 */
export function barOf(unfit: readonly number[]): number {
  const ascending = [...unfit].sort((a, b) => a - b)
  return ascending[Math.floor(ascending.length * REFUSED)] ?? 0
}
