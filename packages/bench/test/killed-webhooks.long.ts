import { serverUrl, testParts } from '@onward/testbed'
import { play } from '../src/webhooks/play.ts'

it('delivers every webhook while receivers fail and processes are killed', async () => {
  const plan = { deliveries: 200, endpoints: 100, failing: 30, kills: 2, flushes: 0, rate: 50, seed: 1 }
  const { received, recorded } = await play(plan, testParts().redisUrl ?? serverUrl('postgres'))
  expect(recorded).toMatchObject({ delivered: 200, givenUp: 0, misnumbered: 0 })
  expect(received).toMatchObject({ webhooks: 200, undelivered: 0, changed: 0 })
  // Three in ten failed, or the run shows nothing.
  expect(recorded.attempts).toBeGreaterThan(230)
}, 120_000)
