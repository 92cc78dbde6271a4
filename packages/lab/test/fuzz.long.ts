import { countRequests, fuzzArea } from '../src/fuzz/command.ts'
import { AREAS } from '../src/fuzz/targets.ts'

describe('an area that gets random requests', () => {
  it.each(AREAS)(
    'never answers 5xx, and each response matches its schema: %s',
    async (area) => {
      const tally = await fuzzArea(area, 1_250, 1)
      // If nearly all requests were refused, hardly any answers would have been compared with their schemas.
      expect(countRequests(tally, (status) => status === 200)).toBeGreaterThan(countRequests(tally) / 10)
    },
    600_000,
  )
})
