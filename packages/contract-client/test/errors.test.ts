import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { callFunction, readCalls } from '@onward/contract'
import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { adminClient, OnwardError, send, TransportError } from '../src/index.ts'

let server: ScriptedServer

beforeEach(async () => {
  server = await openScriptedServer()
})

afterEach(() => server.close())

const target = (timeoutMs = 5_000) => adminClient({ url: server.url, token: 's3cret', timeoutMs })
const host = () => new URL(server.url).host

function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => fail(),
    (error: unknown) => error,
  )
}

function fail(): never {
  throw new Error('it did not fail')
}

describe('an error answer of Onward', () => {
  it('becomes an OnwardError with the status, code, details and headers', async () => {
    const body = {
      error: 'the parameters are not valid',
      error_details: ['text: is missing'],
      code: 'invalid_parameters',
      request_id: 'req-1',
    }
    server.respond((_received, response) => {
      response.setHeader('X-Call-ID', 'call-1')
      sendJson(response, 400, body)
    })
    const error = await errorOf(send(target(), callFunction, { params: { function_name: 'f' } }))
    expect(error).toBeInstanceOf(OnwardError)
    expect(error).toMatchObject({ status: 400, code: body.code, message: body.error, details: body.error_details, requestId: 'req-1' })
    expect((error as OnwardError).headers['x-call-id']).toBe('call-1')
  })
})

describe('a failure to get an answer of Onward', () => {
  it.each([
    ['an error page', 502, 'text/html', '<h1>Bad gateway</h1>'],
    ['an error in another shape', 404, 'application/json', '{"message":"no"}'],
    ['an empty answer', 200, 'application/json', ''],
    ['an answer that is no JSON', 200, 'text/html', '<p>hello'],
  ])('becomes a TransportError for %s', async (_name, status, type, text) => {
    server.respond((_received, response) => void response.writeHead(status, { 'content-type': type }).end(text))
    const error = await errorOf(send(target(), readCalls))
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({
      host: host(),
      code: 'not_ours',
      message: `${host()} answered ${status}, but not in the format of Onward`,
    })
  })

  it('includes a redirect, which is not followed with the credentials', async () => {
    const other = await openScriptedServer()
    server.respond((_received, response) => void response.writeHead(307, { location: `${other.url}/admin/calls` }).end())
    const error = await errorOf(send(target(), readCalls))
    expect(error).toMatchObject({ code: 'not_ours', message: `${host()} answered 307, but not in the format of Onward` })
    expect(other.received).toEqual([])
    await other.close()
  })

  it('is not caused by a proxy in the environment, which is ignored', async () => {
    const proxy = await openScriptedServer()
    process.env.HTTP_PROXY = proxy.url
    process.env.http_proxy = proxy.url
    try {
      expect(await send(target(), readCalls)).toEqual({})
    } finally {
      delete process.env.HTTP_PROXY
      delete process.env.http_proxy
    }
    expect([proxy.received.length, server.received.length]).toEqual([0, 1])
    await proxy.close()
  })

  it.each([
    ['never answers', () => undefined],
    ['stops in the middle of its answer', (response: { write(text: string): void }) => response.write('{"calls":')],
  ])('is a timeout for a server that %s', async (_name, begin) => {
    server.respond((_received, response) => begin(response))
    const started = Date.now()
    const error = await errorOf(send(target(150), readCalls))
    expect(error).toMatchObject({ host: host(), code: 'timed_out', message: `${host()} gave no complete response within 150 ms` })
    expect(Date.now() - started).toBeLessThan(10_000)
    expect(await errorOf(send(target(), readCalls, { timeoutMs: 50 }))).toMatchObject({ code: 'timed_out' })
  })

  it('names the host and no credential when no server listens', async () => {
    const url = await closedUrl()
    const error = await errorOf(send(adminClient({ url, token: 's3cret' }), readCalls))
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({
      code: 'ECONNREFUSED',
      message: `${new URL(url).host} refused the connection: no server listens there`,
    })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('s3cret')
  })

  it('reports a connection that was closed', async () => {
    server.respond((_received, response) => void response.destroy())
    const error = await errorOf(send(target(), readCalls))
    expect(error).toMatchObject({ code: 'ECONNRESET', message: `${host()} closed the connection` })
  })
})

async function closedUrl(): Promise<string> {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  await new Promise((resolve) => taken.close(resolve))
  return `http://127.0.0.1:${port}`
}
