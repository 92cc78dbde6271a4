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
        }, 1_000),
      ),
    )
    expect([most, inside]).toEqual([2, 0])
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    const full = openGate(1, 1)
    const held = [full(() => new Promise((resolve) => setTimeout(resolve, 5)), 1_000), full(async () => 'second', 1_000)]
    await expect(full(async () => 'third', 1_000)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await Promise.all(held)).toEqual([undefined, 'second'])
    expect(results.map(({ status }) => status === 'rejected')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => index % 3 === 0))
  })

  it('turns away whom it kept waiting for too long, without beginning the work, and lets in the next', async () => {
    const gate = openGate(1, 8)
    let leave = (): void => {}
    const inside = gate(() => new Promise<void>((resolve) => (leave = resolve)), 10)
    const begun: string[] = []
    const impatient = gate(async () => begun.push('impatient'), 10)
    const patient = gate(async () => begun.push('patient'), 60_000)
    await expect(impatient).rejects.toMatchObject({ code: 'unavailable' })
    leave()
    await Promise.all([inside, patient])
    expect(begun).toEqual(['patient'])
  })
})
