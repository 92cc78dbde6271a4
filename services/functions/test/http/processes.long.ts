import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { eventually, sendJson } from '@onward/testbed'
import { type FunctionsProcess, startFunctionsProcess } from '../support/functions-process.ts'
import { useFunctions } from '../support/support.ts'

jest.setTimeout(180_000)
const onward = useFunctions({ builtIn: true })
let service: FunctionsProcess

beforeAll(async () => {
  service = await startFunctionsProcess({ ...onward.environment, WEB_CONCURRENCY: '2' })
}, 180_000)
afterAll(async () => void (await service.stop('SIGKILL')))

async function workers(): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['--ppid', String(service.pid), '-o', 'pid=,args='])
  const lines = stdout.split('\n').filter((line) => line.includes('main.ts'))
  return lines.map((line) => Number.parseInt(line, 10))
}

/** Returns how many calls each process counts, by its number. */
async function counted(): Promise<Record<string, number>> {
  const response = await fetch(`${service.internalUrl}/metrics`, { signal: AbortSignal.timeout(10_000) })
  expect(response.status).toBe(200)
  const samples = (await response.text()).matchAll(/^onward_http_request_seconds_count\{(?=.*call)(?=.*process="(\d+)").*\} (\d+)$/gm)
  return Object.fromEntries([...samples].map(([, process, count]) => [process, Number(count)]))
}

/**
 * Makes a call on a separate connection. The time limit is for a connection that is passed to a process at the moment of its death: it
 * stays open without a response.
 */
async function call(): Promise<number> {
  const user = onward.user('joe')
  const headers = { ...user.headers, 'content-type': 'application/json', connection: 'close' }
  const init = { method: 'POST', headers, body: '{}', signal: AbortSignal.timeout(5_000) }
  const response = await fetch(`${service.url}/functions/notes-read-notes/call`, init)
  await response.text()
  return response.status
}

describe('two processes of one start', () => {
  it('share the requests, and each of them returns the metrics of both', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, []))
    await onward.user('joe').connect('notes')
    let made = 0
    await eventually(async () => {
      expect(await call()).toBe(200)
      made++
      expect(Object.keys(await counted())).toEqual(['1', '2'])
    }, 120_000)
    // A request is counted when its connection is closed.
    const sum = async () => Object.values(await counted()).reduce((total, count) => total + count, 0)
    await eventually(async () => expect(await sum()).toBe(made))
    // Each process answers with the same sum.
    for (let i = 0; i < 4; i++) expect(await sum()).toBe(made)
    expect(onward.third.received).toHaveLength(made)
  })

  it('answer while one is killed, and replace it', async () => {
    const before = await workers()
    expect(before).toHaveLength(2)
    process.kill(before[0] as number, 'SIGKILL')
    await eventually(async () => expect(await call()).toBe(200))
    await eventually(async () => {
      expect(await call()).toBe(200)
      expect(Object.keys(await counted())).toContain('3')
    }, 120_000)
    expect(await workers()).toContain(before[1])
    expect(await workers()).toHaveLength(2)
  })

  it('end together', async () => {
    const pids = await workers()
    expect(await service.stop()).toBe(0)
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

describe('a start of two processes that fails', () => {
  it('ends with the error of a setting', async () => {
    const start = startFunctionsProcess({ ...onward.environment, WEB_CONCURRENCY: '0' })
    await expect(start).rejects.toThrow('the service ended with 1')
  })

  it('ends when the first process cannot start', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const start = startFunctionsProcess({
      ...onward.environment,
      WEB_CONCURRENCY: '2',
      PORT: String((taken.address() as AddressInfo).port),
    })
    await expect(start).rejects.toThrow('the service ended with 1')
    await new Promise((resolve) => taken.close(resolve))
  })
})
