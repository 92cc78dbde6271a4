import { measureTyped } from '../src/eval/typed.ts'

it('predicts what people type, on the half of the prompts that the training has seen', async () => {
  const scores = await measureTyped('packages/catalog/apps', 'packages/predict/weights', 'choose')
  expect(scores.prompts).toBe(325)
  expect(scores.recall_at_1).toBeGreaterThanOrEqual(0.81)
  expect(scores.recall_at_5).toBeGreaterThanOrEqual(0.95)
  expect(scores.falsely_refused).toBeLessThanOrEqual(0.04)
  expect(scores.refused).toBeGreaterThanOrEqual(0.8)
})
