/** The result of `work`, or a failure after `ms`. The work itself goes on; its late result is dropped. */
export async function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${ms} ms`)), ms)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
