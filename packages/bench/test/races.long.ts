import { checkRaces } from '../src/races/check-races.ts'

describe('setters, consumers and subscribers at once', () => {
  it('leave what some order of them leaves: the last limit, and each level told once', async () => {
    await checkRaces(1_000, 1, 8)
  }, 600_000)
})
