import { type ChildProcess, spawn } from 'node:child_process'
import { eventually } from '@onward/testbed'

const PROGRAM = ['--conditions=source', '--import', 'tsx', 'packages/runtime/test/cluster-program.ts']

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGTERM')
})

/** Starts `cluster-program.ts`. Its workers inherit the options of Node. */
function start(options: readonly string[] = []) {
  const child = spawn(process.execPath, [...options, ...PROGRAM], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (output.out += chunk))
  child.stderr.on('data', (chunk) => (output.err += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${Number.parseInt(output.out, 10)}${path}`, { signal: AbortSignal.timeout(5_000) })
    return await response.text()
  }
  return { child, output, ended, ask }
}

describe('a program with two processes', () => {
  it('shares its port, replaces a process that ends, and ends all of them on SIGTERM', async () => {
    const { child, ended, ask } = start()
    const seen = new Set<string>()
    const meet = async (id: string) =>
      await eventually(async () => {
        seen.add(await ask('/'))
        expect(seen).toContain(id)
      })
    await meet('1')
    await meet('2')
    await expect(ask('/exit')).rejects.toThrow('fetch failed')
    await meet('3')
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  it('returns the metrics of its processes, also while one of them is starting', async () => {
    const { ask, ended, child } = start(['--title=slow'])
    const processes = async () => {
      const text = await ask('/metrics')
      return new Set(text.match(/(?<=onward_process_cpu_seconds_total\{.*process=")\d+/g))
    }
    await eventually(async () => expect(await processes()).toEqual(new Set(['1', '2'])))
    await expect(ask('/exit')).rejects.toThrow('fetch failed')
    // Its replacement has no metrics until it has started.
    for (let i = 0; i < 3; i++) expect((await processes()).size).toBe(1)
    child.kill('SIGTERM')
    await ended
  })

  it('ends with the error of its first process when that cannot start', async () => {
    const { output, ended } = start(['--title=fails'])
    expect(await ended).toBe(1)
    expect(output.err.match(/Error: cannot start/g)).toHaveLength(1)
  })
})
