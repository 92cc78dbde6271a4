import { wakeTime } from '../src/webhooks/queue.ts'

const NOW = 1_772_000_000_123

describe('wakeTime', () => {
  it.each([5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000])(
    'is after a delivery that is due in %d ms, by at most two seconds or a twentieth of the wait',
    (delayMs) => {
      for (let late = 0; late < 3_000; late += 7) {
        const after = wakeTime(NOW + late, delayMs) - (NOW + late + delayMs)
        expect(after).toBeGreaterThan(0)
        expect(after).toBeLessThanOrEqual(Math.min(2_048, delayMs / 20))
      }
    },
  )

  it('is the same for deliveries that are due together, so that 100,000 retries make few jobs', () => {
    const times = Array.from({ length: 100_000 }, (_, i) => wakeTime(NOW, 300_000 + (i % 60_000)))
    expect(new Set(times).size).toBeLessThan(65)
  })
})
