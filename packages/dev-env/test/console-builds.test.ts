import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeOldBuilds, takeBuild } from '../src/start/builds.ts'

const hash = (n: number) => n.toString(16).padStart(16, '0')

describe('the builds of the console', () => {
  let builds: string
  let gone: number
  beforeAll(async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    gone = child.pid ?? 0
    await once(child, 'exit')
  })
  beforeEach(async () => {
    builds = await mkdtemp(join(tmpdir(), 'onward-builds-'))
  })
  afterEach(async () => await rm(builds, { recursive: true }))

  /** Makes builds from 1, the oldest, to `count`. */
  async function make(count: number): Promise<void> {
    for (let n = 1; n <= count; n++) {
      await mkdir(join(builds, hash(n)))
      await writeFile(join(builds, hash(n), 'index.html'), '')
      await utimes(join(builds, hash(n)), n, n)
    }
  }
  const kept = async () => {
    await removeOldBuilds(builds)
    return (await readdir(builds)).sort()
  }

  it('are removed except the newest three', async () => {
    await make(5)
    expect(await kept()).toEqual([hash(3), hash(4), hash(5)])
  })

  it('stay while a running process uses them, and count as new when they are used again', async () => {
    await make(6)
    expect(await takeBuild(builds, hash(1))).toBe(true)
    expect(await takeBuild(builds, hash(9))).toBe(false)
    const marks = [`${hash(1)}.${process.pid}.use`, `${hash(9)}.${process.pid}.use`]
    expect(await kept()).toEqual([hash(1), marks[0], hash(4), hash(5), hash(6), marks[1]])
    for (const mark of marks) await rm(join(builds, mark))
    expect(await kept()).toEqual([hash(1), hash(5), hash(6)])
  })

  it('stay while they are being made, and what an ended process left is removed', async () => {
    await make(4)
    for (const pid of [process.pid, gone]) await mkdir(join(builds, `${hash(8)}.${pid}`))
    await writeFile(join(builds, `${hash(1)}.${gone}.use`), '')
    await writeFile(join(builds, 'notes.txt'), '')
    expect(await kept()).toEqual([hash(2), hash(3), hash(4), `${hash(8)}.${process.pid}`, 'notes.txt'])
  })

  it('can be removed by several callers at the same time', async () => {
    await make(20)
    await Promise.all([removeOldBuilds(builds), removeOldBuilds(builds), removeOldBuilds(builds)])
    expect(await kept()).toEqual([hash(18), hash(19), hash(20)])
  })
})
