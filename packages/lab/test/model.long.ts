import { checkModel } from '../src/faults/model/command.ts'

describe('area B', () => {
  it('counts, limits and delivers as the model does, for any commands in any order', async () => {
    await checkModel(200, 1, 2)
  }, 300_000)
})
