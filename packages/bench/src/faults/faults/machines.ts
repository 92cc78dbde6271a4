import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../fault.ts'
import { withOne } from './choose.ts'
import { findFaketime } from './find-faketime.ts'

/** The disk of both stores has no room left. A store that ends because of it is started again. */
const diskFull: Fault = {
  name: 'disk-full',
  lacks: (rig) => (rig.disk === undefined ? 'a tmpfs takes root, and leave to mount' : undefined),
  async run(rig, chance, { weatherMs }) {
    const ms = Math.round(chance.between(...weatherMs))
    await rig.disk?.fill()
    try {
      await sleep(ms)
    } finally {
      await rig.disk?.empty()
    }
    const ended = [...(await rig.postgres.revive()), ...((await rig.redis?.revive()) ?? []), ...((await rig.cluster?.revive()) ?? [])]
    return `full for ${ms} ms${ended.length > 0 ? `; ended and started again: ${ended.join(', ')}` : ''}`
  },
}

/** A process of area B whose clock is a day off: it must count by the time that the event tells. */
const wrongClock: Fault = {
  name: 'clock-b',
  lacks: () => (findFaketime() === undefined ? 'libfaketime is not installed' : undefined),
  run: (rig, chance, { weatherMs }) =>
    withOne(rig.insights, chance, async (service) => {
      const offset = chance.pick(['+1d', '-1d'])
      await service.kill()
      await service.start({ LD_PRELOAD: findFaketime() ?? '', FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' })
      await sleep(chance.between(...weatherMs))
      await service.kill()
      await service.start()
      return `${service.name} ran ${offset}`
    }),
}

export const machines: readonly Fault[] = [diskFull, wrongClock]
