import { queueBackends } from '@onward/testbed'
import { FAULTS } from '../src/faults/plan.ts'
import { runFaults } from '../src/faults/run-faults.ts'
import { openRig, RIG_DEFAULTS, type Rig } from '../src/rig/open-rig.ts'

/** Kills and lost acknowledgements at the moments that matter, a freeze longer than the lock of a job, bad networks, and silence. */
const WANTED = [
  'freeze-b',
  'kill-a',
  'kill-b-commit',
  'cut-a-record',
  'kill-b-event',
  'flushall',
  'redis-kill',
  'postgres-kill',
  'reset-b-postgres',
  'stall-b-count',
  'dead-b-commit',
  'dead-all-a-postgres',
  'dead-all-b-queue',
  'drip-third-party',
]
const TASKS = 3_000
const USERS = 30

const lines: string[] = []
let rig: Rig

beforeAll(async () => {
  const root = process.cwd()
  const [on = 'postgres'] = queueBackends()
  rig = await openRig({ ...RIG_DEFAULTS, root, dir: `${root}/.onward/faults-test`, env: process.env, on })
}, 60_000)

afterAll(() => rig.close(), 60_000)

describe('faults under load', () => {
  it('lose and double no call that was answered 200, and send each level once', async () => {
    const wanted = FAULTS.filter(({ name }) => WANTED.includes(name))
    const candidates = wanted.filter((fault) => fault.whyImpossible?.(rig) === undefined)
    for (const fault of wanted)
      if (!candidates.includes(fault)) process.stderr.write(`left out: ${fault.name}: ${fault.whyImpossible?.(rig)}\n`)

    const report = await runFaults(rig, {
      seed: 1,
      tasks: TASKS,
      users: USERS,
      callers: 24,
      faults: candidates.length,
      candidates,
      pace: 'short',
      recoveryMs: 60_000,
      control: false,
      say: (line) => lines.push(line),
    })
    // The lines show what happened when something does not hold.
    const broken = report.findings.filter(({ holds }) => !holds)
    expect({ broken, lines: broken.length > 0 ? lines : [] }).toEqual({ broken: [], lines: [] })
    expect(report.ran.toSorted()).toEqual(candidates.map(({ name }) => name).toSorted())
    expect(report.findings.length).toBeGreaterThan(20)
  }, 400_000)
})
