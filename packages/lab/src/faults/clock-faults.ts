import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Chance } from '../numbers.ts'
import type { LinkedService, Rig } from '../rig/open-rig.ts'
import { queryPostgres } from '../rig/postgres-server.ts'
import { disturbOne, type Fault, NotMade, type Pace, waitBetween } from './fault.ts'

/** How wrong the clock of a service can be. Ids are made by this clock, so they fall into other partitions, or into none. */
const OFFSETS = ['-40d', '-1d', '-20m', '+20m', '+1d', '+40d']
/** Postgres' clock decides in which period a task counts, and events more than 5 minutes ahead are not counted. */
const POSTGRES_OFFSETS = [
  ['-2m', '-1m'],
  ['+2m', '+1m'],
]
/** A clock that differs by less is right. */
const VISIBLE_MS = 30_000

export const CLOCK_FAULTS: readonly Fault[] = [
  clockOf('clock-a', (rig) => rig.functions),
  clockOf('clock-b', (rig) => rig.insights),
  {
    name: 'clock-postgres',
    whyImpossible: () => whyNoClock,
    run: async ({ postgres }, chance, { disturbedMs }) => {
      const stop = () => postgres.crash()
      const readClock = async () => (await queryPostgres<{ now: Date }>(postgres.url, 'select now()'))[0]?.now ?? new Date()
      return await jump(chance, disturbedMs, chance.pick(POSTGRES_OFFSETS), { stop, start: postgres.start, readClock })
    },
  },
]

/** Runs a service with a clock that is wrong and jumps: only Postgres' clock may matter. */
function clockOf(name: string, servicesOf: (rig: Rig) => readonly LinkedService[]): Fault {
  return {
    name,
    whyImpossible: () => whyNoClock,
    run: (rig, chance, { disturbedMs }) =>
      disturbOne(servicesOf(rig), chance, async (service) => {
        const program = { stop: service.kill, start: service.start, readClock: () => readClockOf(service) }
        return `${service.name} ${await jump(chance, disturbedMs, chance.shuffle(OFFSETS).slice(0, 2), program)}`
      }),
  }
}

/** Node sets this header of a response. */
async function readClockOf({ adminUrl }: LinkedService): Promise<Date> {
  return new Date((await fetch(`${adminUrl}/healthz`)).headers.get('date') ?? '')
}

type Program = {
  stop(): Promise<void>
  start(env?: Readonly<Record<string, string>>): Promise<void>
  readClock(): Promise<Date>
}

/** Kills a program and runs it with a wrong clock that jumps from one offset to the next, then kills it and starts it normally. */
async function jump(chance: Chance, disturbedMs: Pace['disturbedMs'], offsets: readonly string[], program: Program): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'onward-clock-'))
  const file = join(folder, 'offset')
  try {
    await chmod(folder, 0o755)
    await writeFile(file, offsets[0] ?? '')
    await program.stop()
    await program.start({
      LD_PRELOAD: FAKETIME ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    })
    for (const offset of offsets) {
      await writeFile(file, offset)
      await waitBetween(chance, disturbedMs)
      if (Math.abs(+(await program.readClock()) - Date.now()) < VISIBLE_MS) throw new NotMade(`the clock is not at ${offset}`)
    }
    return `ran with a clock at ${offsets.join(', then ')}`
  } finally {
    await program.stop()
    await program.start()
    await rm(folder, { recursive: true })
  }
}

/** Debian's libfaketime; undefined where it is not installed. */
const FAKETIME = ['', ...(existsSync('/usr/lib') ? readdirSync('/usr/lib') : [])]
  .map((folder) => join('/usr/lib', folder, 'faketime/libfaketime.so.1'))
  .find((file) => existsSync(file))
const whyNoClock = FAKETIME === undefined ? 'libfaketime is not installed' : undefined
