import { setImmediate as turn } from 'node:timers/promises'
import { openBatch } from '../src/index.ts'

/** A flush that waits until the test releases it, and records its items. */
function heldFlush() {
  const flushes: { items: readonly number[]; done: () => void; fail: (err: Error) => void }[] = []
  const flush = (items: readonly number[]) => new Promise<void>((done, fail) => flushes.push({ items, done, fail }))
  return { flush, flushes, sizes: () => flushes.map(({ items }) => items.length) }
}

describe('openBatch', () => {
  it('flushes a single item at once', async () => {
    const seen: (readonly number[])[] = []
    const batch = openBatch<number>(10, async (items) => void seen.push(items))
    await batch.add(1)
    await batch.add(2)
    expect(seen).toEqual([[1], [2]])
  })

  it('flushes the items of one iteration of the event loop together', async () => {
    const seen: (readonly number[])[] = []
    const batch = openBatch<number>(10, async (items) => void seen.push(items))
    await Promise.all([1, 2, 3].map((item) => batch.add(item)))
    const first = batch.add(4)
    await new Promise((resolve) => process.nextTick(resolve))
    await Promise.all([first, batch.add(5)])
    expect(seen).toEqual([
      [1, 2, 3],
      [4, 5],
    ])
  })

  it('collects the next flush while one is running, and runs one at a time', async () => {
    const { flush, flushes } = heldFlush()
    const batch = openBatch(10, flush)
    const first = batch.add(1)
    await turn()
    const others = [batch.add(2), batch.add(3)]
    await turn()
    expect(flushes.map(({ items }) => items)).toEqual([[1]])
    flushes[0]?.done()
    await first
    await turn()
    expect(flushes.map(({ items }) => items)).toEqual([[1], [2, 3]])
    flushes[1]?.done()
    await Promise.all(others)
  })

  it('passes at most `max` items to a flush, in the order in which they were added', async () => {
    const seen: (readonly number[])[] = []
    const batch = openBatch<number>(4, async (items) => {
      await turn()
      seen.push(items)
    })
    await Promise.all(Array.from({ length: 10 }, (_, i) => batch.add(i)))
    expect(seen).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ])
  })

  it('rejects only the items of a failed flush, and continues', async () => {
    const batch = openBatch<number>(2, async (items) => {
      if (items.includes(2)) throw new Error('the second flush failed')
    })
    const ends = await Promise.allSettled([0, 1, 2, 3, 4].map((item) => batch.add(item)))
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'])
    await expect(batch.add(9)).resolves.toBeUndefined()
  })

  it('survives a flush that throws synchronously', async () => {
    const batch = openBatch<number>(2, () => {
      throw new Error('at once')
    })
    await expect(batch.add(1)).rejects.toThrow('at once')
    await expect(batch.add(2)).rejects.toThrow('at once')
  })

  it('accepts items during a flush and right after one', async () => {
    const seen: (readonly number[])[] = []
    let fromWithin: Promise<void> | undefined
    const batch = openBatch<number>(10, async (items) => {
      seen.push(items)
      if (items.includes(1)) fromWithin = batch.add(2)
    })
    await batch.add(1).then(() => batch.add(3))
    await fromWithin
    await batch.idle()
    expect(seen.flat().sort()).toEqual([1, 2, 3])
  })
})

describe('Batch.idle', () => {
  it('resolves at once without items', async () => {
    await expect(openBatch<number>(1, async () => {}).idle()).resolves.toBeUndefined()
  })

  it('waits for running and waiting items, even if they fail', async () => {
    const { flush, flushes } = heldFlush()
    const batch = openBatch(1, flush)
    const ends = [batch.add(1), batch.add(2)].map((added) => added.catch((err: Error) => err.message))
    let idle = false
    const waited = batch.idle().then(() => {
      idle = true
    })
    await turn()
    flushes[0]?.fail(new Error('no'))
    while (flushes.length < 2) await turn()
    expect(idle).toBe(false)
    flushes[1]?.done()
    await waited
    expect(await Promise.all(ends)).toEqual(['no', undefined])
  })
})
