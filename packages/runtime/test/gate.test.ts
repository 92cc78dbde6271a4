import { openGate } from '../src/index.ts'

describe('a gate', () => {
  it('lets in so many at once, in order, and goes on after a failure', async () => {
    const gate = openGate(2, 8)
    let inside = 0
    let most = 0
    const order: number[] = []
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        gate(async () => {
          most = Math.max(most, ++inside)
          order.push(index)
          await new Promise((resolve) => setTimeout(resolve, 2))
          inside--
          if (index % 3 === 0) throw new Error(`no ${index}`)
          return index
        }),
      ),
    )
    expect([most, inside]).toEqual([2, 0])
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    const full = openGate(1, 1)
    const held = [full(() => new Promise((resolve) => setTimeout(resolve, 5))), full(async () => 'second')]
    await expect(full(async () => 'third')).rejects.toMatchObject({ code: 'unavailable' })
    expect(await Promise.all(held)).toEqual([undefined, 'second'])
    expect(results.map(({ status }) => status === 'rejected')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => index % 3 === 0))
  })
})
