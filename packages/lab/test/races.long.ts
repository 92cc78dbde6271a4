import { checkRaces } from '../src/faults/races/command.ts'

describe('setters, consumers and subscribers at once', () => {
  it('end as some order of them ends: the last limit holds, and each level is sent once', async () => {
    await checkRaces(1_000, 1, 4)
  }, 1_200_000)
})
