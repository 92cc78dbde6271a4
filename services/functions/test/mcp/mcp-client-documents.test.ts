import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { openClientDocuments } from '../../src/sign-in/client-documents.ts'
import { tokenSender } from '../support/oauth-support.ts'

let host: ScriptedServer

beforeEach(async () => {
  host = await openScriptedServer()
  serve()
})
afterEach(async () => {
  jest.restoreAllMocks()
  await host.close()
})

const idOf = (path: string) => `${host.url}${path}`

function serve(status = 200): void {
  host.respond(({ url }, response) => sendJson(response, status, { client_id: idOf(url), redirect_uris: ['https://host.example/cb'] }))
}

const now = performance.now.bind(performance)
const setOn = (ms: number) => void jest.spyOn(performance, 'now').mockImplementation(() => now() + ms)

describe('metadata documents of clients', () => {
  it('are kept for ten minutes', async () => {
    const documents = openClientDocuments(tokenSender())
    await documents.read(idOf('/a.json'))
    setOn(590_000)
    await documents.read(idOf('/a.json'))
    expect(host.received).toHaveLength(1)
    setOn(610_000)
    expect(await documents.read(idOf('/a.json'))).toMatchObject({ redirectUris: ['https://host.example/cb'] })
    expect(host.received).toHaveLength(2)
  })

  it('that cannot be used are not read again for a minute', async () => {
    const documents = openClientDocuments(tokenSender())
    serve(500)
    const problem = 'the request for its metadata document got status 500'
    const asked = await Promise.all([documents.read(idOf('/b.json')), documents.read(idOf('/b.json'))])
    expect(asked).toEqual([{ problem }, { problem }])
    serve()
    setOn(55_000)
    expect(await documents.read(idOf('/b.json'))).toEqual({ problem })
    expect(host.received).toHaveLength(1)
    setOn(65_000)
    expect(await documents.read(idOf('/b.json'))).toMatchObject({ id: idOf('/b.json') })
    // From then on, the document is kept as long as any other.
    setOn(600_000)
    await documents.read(idOf('/b.json'))
    expect(host.received).toHaveLength(2)
  })

  it('are at most 500 in memory, those that were used last', async () => {
    const documents = openClientDocuments(tokenSender())
    for (let n = 0; n < 500; n++) await documents.read(idOf(`/${n}.json`))
    await documents.read(idOf('/0.json'))
    await documents.read(idOf('/500.json'))
    await documents.read(idOf('/0.json'))
    expect(host.received).toHaveLength(501)
    await documents.read(idOf('/1.json'))
    expect(host.received).toHaveLength(502)
  })

  it('must come within five seconds', async () => {
    const documents = openClientDocuments(tokenSender())
    host.respond(() => undefined)
    expect(await documents.read(idOf('/slow.json'))).toEqual({ problem: 'its metadata document could not be read' })
  })
})
