import { TIMING } from '../src/events/timing.ts'
import { wakeTime } from '../src/events/wake.ts'

const NOW = 1_772_000_000_123

describe('wakeTime', () => {
  it.each(TIMING.delaysMs.slice(1))('is after what is due in %d ms, by two seconds or a twentieth of the wait at most', (delayMs) => {
    for (let late = 0; late < 3_000; late += 7) {
      const after = wakeTime(NOW + late, delayMs) - (NOW + late + delayMs)
      expect(after).toBeGreaterThan(0)
      expect(after).toBeLessThanOrEqual(Math.min(2_048, delayMs / 20))
    }
  })

  it('is one for all that is due in the same moment, so that a hundred thousand retries are few jobs', () => {
    const times = Array.from({ length: 100_000 }, (_, i) => wakeTime(NOW, 300_000 + (i % 60_000)))
    expect(new Set(times).size).toBeLessThan(65)
  })
})
