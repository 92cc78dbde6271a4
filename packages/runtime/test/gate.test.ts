import { setImmediate } from 'node:timers/promises'
import { openGate } from '../src/index.ts'

describe('a gate', () => {
  it('runs a limited number at once, in order, and continues after a failure', async () => {
    const gate = openGate(2, 8)
    let inside = 0
    let most = 0
    const order: number[] = []
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        gate(async () => {
          most = Math.max(most, ++inside)
          order.push(index)
          await setImmediate()
          inside--
          if (index % 3 === 0) throw new Error(`no ${index}`)
          return index
        }, 1_000),
      ),
    )
    expect([most, inside]).toEqual([2, 0])
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    const full = openGate(1, 1)
    let leave = (_result: string) => {}
    const held = [full(() => new Promise<string>((resolve) => (leave = resolve)), 1_000), full(async () => 'second', 1_000)]
    await expect(full(async () => 'third', 1_000)).rejects.toMatchObject({ code: 'unavailable' })
    leave('first')
    expect(await Promise.all(held)).toEqual(['first', 'second'])
    expect(results.map(({ status }) => status === 'rejected')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => index % 3 === 0))
  })

  it('rejects work that waited too long without starting it, and runs the next', async () => {
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
