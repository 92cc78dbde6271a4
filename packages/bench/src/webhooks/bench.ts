import type { Bench } from '../bench.ts'
import { play } from './play.ts'

const MOST_REPEATED_PERCENT = 0.1

export const bench: Bench = {
  summary: 'webhooks arrive at least once: failing receivers, killed processes, a queue that is emptied',
  options: { deliveries: 100_000, endpoints: 1_000, failing: 30, kills: 20, flushes: 1, rate: 400, seed: 1 },
  async run({ queueUrl, say }, { deliveries = 0, endpoints = 0, failing = 0, kills = 0, flushes = 0, rate = 0, seed = 0 }) {
    const redis = queueUrl.startsWith('redis')
    if (flushes > 0 && !redis) say('LEFT OUT: without Redis, no queue is emptied')
    const plan = { deliveries, endpoints, failing, kills, flushes: redis ? flushes : 0, rate, seed }
    const { received, recorded, lost } = await play(plan, queueUrl)
    const repeated = (100 * received.repeated) / deliveries
    say(
      `delivered ${recorded.delivered} of ${deliveries}, given up ${recorded.givenUp}; tasks that the queue lost and that were put there again: ${lost}`,
    )
    say(
      `requests ${received.requests}, attempts recorded ${recorded.attempts}, deliveries with misnumbered attempts ${recorded.misnumbered}`,
    )
    say(
      `received ${received.webhooks}, never answered 2xx ${received.undelivered}, with other bytes in another attempt ${received.changed}`,
    )
    say(`answered 2xx more than once: ${received.repeated} times (${repeated.toFixed(3)} %)`)
    const arrived = recorded.delivered === deliveries && received.webhooks === deliveries
    const exact = received.undelivered + received.changed + recorded.misnumbered === 0
    const few = repeated < MOST_REPEATED_PERCENT
    if (!(arrived && exact && few)) throw new Error('a figure does not hold')
  },
}
