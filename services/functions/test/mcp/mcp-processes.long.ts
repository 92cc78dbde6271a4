import { eventually, openScriptedServer, sendJson } from '@onward/testbed'
import { type FunctionsProcess, startFunctionsProcess } from '../support/functions-process.ts'
import { addToHost, DOCUMENTS, HOSTS, serveDocuments } from '../support/hosts.ts'
import { callTool, connectClient, createToken, ERAS } from '../support/mcp-support.ts'
import { openProxy } from '../support/proxy.ts'
import { callToolAt } from '../support/sign-in-support.ts'
import { type Functions, openFunctions } from '../support/support.ts'

jest.setTimeout(180_000)

describe('three processes behind one address', () => {
  let onward: Functions
  let processes: FunctionsProcess[]
  let proxy: Awaited<ReturnType<typeof openProxy>>

  beforeAll(async () => {
    onward = await openFunctions({ builtIn: true })
    // One after the other: each takes seconds of CPU to start.
    processes = []
    for (let n = 0; n < 3; n++) processes.push(await startFunctionsProcess(onward.environment))
    proxy = await openProxy(processes.map(({ url }) => url))
  }, 180_000)

  afterAll(async () => {
    await proxy.close()
    await Promise.all(processes.map((each) => each.stop()))
  })

  it.each(ERAS)('each answer requests of one client of %s', async (era) => {
    onward.third.respond((_received, response) => sendJson(response, 200, []))
    const user = onward.user(`user-${era}`)
    await user.connect('notes')
    const { token } = await createToken(user)
    const before = new Map(proxy.served)
    const client = await connectClient(proxy.url, token, era)
    const ids = new Set<string>()
    for (let n = 0; n < 12; n++) {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('notes-read-notes')
      const { isError, value } = await callTool(client, 'notes-read-notes')
      expect(isError).toBe(false)
      ids.add(value.call_id)
    }
    for (const { url } of processes) expect(proxy.served.get(url)).toBeGreaterThan(before.get(url) ?? 0)
    const { body } = await user.post('/calls/list', { page_size: 50 }).expect(200)
    expect(new Set(body.calls.map(({ id }: { id: string }) => id))).toEqual(ids)
  })

  it('serve the sign-in, the refresh and the calls of six hosts, whichever process gets a request', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, [{ note: 'from the third party' }]))
    const documents = await openScriptedServer()
    serveDocuments(documents)
    const user = onward.user('user-of-hosts')
    await user.connect('notes')
    const before = new Map(proxy.served)
    for (const host of Object.values({ ...HOSTS, ...DOCUMENTS })) {
      const token = await addToHost(proxy.url, user, host, documents)
      for (let n = 0; n < processes.length; n++) {
        const called = await callToolAt(`${proxy.url}/mcp/app-1`, token, 'call_read_function', { name: 'notes-read-notes' })
        expect(called).toContain('from the third party')
      }
    }
    for (const { url } of processes) expect(proxy.served.get(url)).toBeGreaterThan((before.get(url) ?? 0) + 30)
    await documents.close()
  })

  it('go on when one is killed during a call, and log and count that call', async () => {
    const user = onward.user('killed')
    await user.connect('notes')
    const { token, id } = await createToken(user)
    const client = await connectClient(proxy.url, token, '2026-07-28')
    const before = new Map(proxy.served)
    const arrived = new Promise<void>((resolve) => onward.third.respond(() => resolve()))
    const lost = client.callTool({ name: 'notes-read-notes', arguments: {} }).catch((err: unknown) => err)
    await arrived
    const serving = processes.find(({ url }) => (proxy.served.get(url) ?? 0) > (before.get(url) ?? 0))
    expect(serving).toBeDefined()
    proxy.remove(serving?.url ?? '')
    await serving?.stop('SIGKILL')
    expect(await lost).toBeInstanceOf(Error)

    onward.third.respond((_received, response) => sendJson(response, 200, []))
    for (let n = 0; n < 6; n++) expect((await callTool(client, 'notes-read-notes')).isError).toBe(false)
    // The other processes record the call when the heartbeat of the dead one is 30 s old.
    await eventually(async () => {
      const { body } = await user.post('/calls/list', { outcome: 'unknown' }).expect(200)
      expect(body.calls).toMatchObject([{ function_name: 'notes-read-notes', via: 'mcp:Test client' }])
      expect(await onward.counted(body.calls[0].id)).toBe(true)
    }, 90_000)

    const { headers } = user
    const revoked = await fetch(`${onward.url}/mcp/tokens/${id}`, { method: 'DELETE', headers })
    expect(revoked.status).toBe(200)
    for (let n = 0; n < 2; n++) await expect(client.listTools()).rejects.toThrow(/401|valid MCP token/)
  })
})
