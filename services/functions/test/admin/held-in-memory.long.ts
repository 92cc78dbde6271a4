import { eventually } from '@onward/testbed'
import { useTwoProcesses, WAIT_MS } from '../support/two-processes.ts'

const two = useTwoProcesses()

describe.each<[string, () => void, () => void]>([
  ['whose notifications do not arrive', () => two.link.silence(), () => two.link.heal()],
  ['while this one cannot listen', () => two.link.set({ kind: 'reset' }), () => two.link.set({ kind: 'normal' })],
])('what a process holds in memory does not outlast the change of another process %s', (_when, disturb, mend) => {
  it.each(two.cases)('%s', async (_what, make) => {
    const { send, change, check } = await make()
    await two.isHeld(send)
    disturb()
    await change(two.onward)
    await eventually(check, WAIT_MS)
    mend()
    await eventually(check, WAIT_MS)
  })
})
