import { checkModel } from '../src/model/check-model.ts'

describe('area B', () => {
  it('counts, limits and tells as the model does, whatever is done to it in whatever order', async () => {
    await checkModel(200, 1, 2)
  }, 300_000)
})
