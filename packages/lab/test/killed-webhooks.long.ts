import { queueBackends } from '@onward/testbed'
import { playWebhooks, webhookRig } from '../src/faults/webhooks.ts'
import { openRig, RIG_DEFAULTS, type Rig } from '../src/rig/open-rig.ts'

const SEED = 1
/** Of 100 requests to a receiver. */
const FAILING = 30

let rig: Rig

beforeAll(async () => {
  const root = process.cwd()
  const [on = 'postgres'] = queueBackends()
  rig = await openRig({ ...RIG_DEFAULTS, ...webhookRig(FAILING, SEED), root, dir: `${root}/.onward/webhooks-test`, env: process.env, on })
}, 60_000)

afterAll(() => rig.close(), 60_000)

it('delivers every webhook while receivers fail and processes are killed', async () => {
  const plan = { deliveries: 200, endpoints: 100, kills: 2, flushes: 0, rate: 50, seed: SEED }
  const { received, recorded } = await playWebhooks(rig, plan)
  expect(recorded).toMatchObject({ delivered: 200, givenUp: 0, misnumbered: 0 })
  expect(received).toMatchObject({ webhooks: 200, undelivered: 0, changed: 0 })
  // The run proves nothing unless requests failed.
  expect(recorded.attempts).toBeGreaterThan(230)
}, 120_000)
