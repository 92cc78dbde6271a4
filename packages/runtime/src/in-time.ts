/**
 * Returns the result of `work`, or the result of `onLate` when `work` takes longer than `ms`; by default `onLate` throws. The work itself
 * continues, and its late result is ignored.
 */
export async function inTime<T>(ms: number, work: Promise<T>, onLate: () => T = () => fail(ms)): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms))
  })
  return await Promise.race([work, late.then(onLate)]).finally(() => clearTimeout(timer))
}

function fail(ms: number): never {
  throw new Error(`not done within ${ms} ms`)
}
