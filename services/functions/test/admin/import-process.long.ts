import childProcess, { type ForkOptions } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { openImportProcesses } from '../../src/catalog/import-processes.ts'
import { HELP_DESK } from '../support/help-desk.ts'
import { TEST_BUILT_IN, useFunctions } from '../support/support.ts'

const onward = useFunctions()

const preview = (name: string, body: object) => onward.admin('post', `/admin/apps/${name}/preview`, body)
const previewOf = async (name: string, body: object) => (await preview(name, body).expect(200)).body

const BIG = {
  parameters: Array.from({ length: 10 }, (_, index) => ({
    name: `p${index}`,
    in: 'query',
    schema: { type: 'string' },
    description: 'A text.',
  })),
}

describe('the conversion of a large document', () => {
  it('serves other requests while it converts a large document', async () => {
    const paths = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`/things${index}/{id}`, { get: BIG, post: BIG }]))
    const document = JSON.stringify({ openapi: '3.1.0', info: { title: 'Big' }, servers: [{ url: 'https://big.dev' }], paths })
    const startedAt = performance.now()
    let done = false
    const converting = previewOf('big', { document }).finally(() => {
      done = true
    })
    let longestWait = 0
    while (!done) {
      const before = performance.now()
      await onward.admin('get', '/admin/apps').expect(200)
      longestWait = Math.max(longestWait, performance.now() - before)
    }
    expect((await converting).totals).toMatchObject({ kept: 1_000 })
    // A request would wait for the whole conversion if it blocked the event loop.
    expect(longestWait).toBeLessThan((performance.now() - startedAt) / 2)
  })
})

describe('a process that converts a document', () => {
  const input = { name: 'desk', document: HELP_DESK, previous: undefined }

  /** Converts with a program that does something else. */
  async function convertWith(program: string, maxMs?: number) {
    return await withFile(program, (file) => openImportProcesses(file, maxMs).convert(input, new AbortController().signal))
  }

  async function withFile<T>(program: string, use: (file: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'onward-worker-'))
    try {
      const file = join(folder, 'worker.mjs')
      await writeFile(file, program)
      return await use(file)
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  it('gets no setting of the service', async () => {
    const found = await convertWith('process.once("message", () => process.send({ problems: Object.keys(process.env) }))')
    expect(found).toEqual({ problems: expect.not.arrayContaining(['DATABASE_URL', 'PATH', 'ADMIN_TOKEN']) })
  })

  it('is the first to end when the machine has no memory left', async () => {
    const program = `import { readFileSync } from 'node:fs'
      process.once('message', () => process.send({ problems: [readFileSync('/proc/self/oom_score_adj', 'utf8').trim()] }))`
    expect(await convertWith(program)).toEqual({ problems: ['1000'] })
  })

  it.each([
    ['memory', 'const all = []; for (;;) all.push(new Array(10_000).fill({}))', undefined, 'takes too much memory to convert'],
    ['time', 'for (;;);', 300, 'takes longer than 0.3 s to convert'],
  ])('is ended when it takes too much %s', async (_what, program, maxMs, problem) => {
    await expect(convertWith(program, maxMs)).rejects.toMatchObject({
      code: 'invalid_parameters',
      details: [`document: ${problem}; import it in smaller parts`],
    })
  })

  it('is one of at most two at once', async () => {
    const processes = openImportProcesses(TEST_BUILT_IN.importWorker)
    const { signal } = new AbortController()
    const running = [processes.convert(input, signal), processes.convert(input, signal)]
    await expect(processes.convert(input, signal)).rejects.toMatchObject({ code: 'rate_limited', extras: { retryAfterSeconds: 5 } })
    for (const result of await Promise.all(running)) expect(result).toHaveProperty('preview')
    expect(await processes.convert(input, signal)).toHaveProperty('preview')
  })

  it('is not started for a caller who is gone already, and needs no place', async () => {
    const processes = openImportProcesses(TEST_BUILT_IN.importWorker)
    const gone = AbortSignal.abort()
    const stopped = [1, 2, 3].map(() => processes.convert(input, gone))
    for (const { status, reason } of (await Promise.allSettled(stopped)) as PromiseRejectedResult[]) {
      expect([status, reason.message]).toEqual(['rejected', 'the conversion was stopped'])
    }
  })

  it('does not keep the place of a process that could not be started', async () => {
    const { fork } = childProcess
    const forked = jest
      .spyOn(childProcess, 'fork')
      .mockImplementationOnce((path, options) => fork(path, { ...(options as ForkOptions), execPath: '/nowhere/node' }))
    const processes = openImportProcesses(TEST_BUILT_IN.importWorker)
    const { signal } = new AbortController()
    await expect(processes.convert(input, signal)).rejects.toThrow('ENOENT')
    const both = [processes.convert(input, signal), processes.convert(input, signal)]
    for (const result of await Promise.all(both)) expect(result).toHaveProperty('preview')
    forked.mockRestore()
  })

  it('ends when the caller closes the connection', async () => {
    await withFile('setInterval(() => {}, 1_000)', async (file) => {
      const { fork } = childProcess
      const forked = jest.spyOn(childProcess, 'fork').mockImplementationOnce((_path, options) => fork(file, options as ForkOptions))
      const sent = preview('help-desk', { document: HELP_DESK })
      const answered = sent.catch((err: Error) => err)
      await eventually(() => expect(forked).toHaveBeenCalled())
      sent.abort()
      expect(await answered).toBeInstanceOf(Error)
      await eventually(() => expect(forked.mock.results[0]?.value.signalCode).toBe('SIGKILL'))
      forked.mockRestore()
    })
  })

  it('ends when the caller is gone, and when the service closes', async () => {
    const processes = openImportProcesses(TEST_BUILT_IN.importWorker)
    const gone = new AbortController()
    const first = processes.convert(input, gone.signal)
    gone.abort()
    await expect(first).rejects.toBeInstanceOf(Refusal)
    const second = processes.convert(input, new AbortController().signal)
    processes.close()
    await expect(second).rejects.toMatchObject({ code: 'unavailable' })
  })
})
