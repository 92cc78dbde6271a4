import { execFile, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { listingOf, SECRET_VARIABLE, type SnippetLanguage, snippetOf } from '../src/parts/code-snippets.ts'

const run = promisify(execFile)
const SECRET = 'sk_9f8e7d6c5b4a'
const PYTHON = '/usr/bin/python3'

/** Values that a shell, JavaScript and Python each quote in another way. */
const ARGS = {
  name: `O'Brien "Ada" \\ $HOME \`id\` %s`,
  text: 'line 1\nline 2\t– naïve 🎉',
  count: 3,
  ratio: -1.5,
  active: true,
  nothing: null,
  tags: ['a', { deep: [false] }],
  'odd-key': {},
  empty: [],
}
const USER_ID = "joe o'neil@example.com"

const FUNCTION = { name: 'shop-list', title: 'List orders', app: 'shop', type: 'QUERY', description: '', parameters: {} }

function response200(url: string): string {
  const listed = { functions: [FUNCTION], _cursor: null }
  return JSON.stringify(url.startsWith('/functions/list') ? listed : { network_code: 200, output: { id: 7 } })
}

type Received = { readonly url: string; readonly headers: Readonly<Record<string, unknown>>; readonly body: unknown }

describe('the code of a call', () => {
  let server: Server
  let folder: string
  let received: Received[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onward-snippets-'))
    server = createServer(async (request, response) => {
      received.push({ url: request.url ?? '', headers: request.headers, body: JSON.parse((await text(request)) || '{}') })
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(response200(request.url ?? ''))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    server.close()
    server.closeAllConnections()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => {
    received = []
  })

  const snippet = (language: SnippetLanguage, accountId?: number, fields?: readonly string[]) => {
    const { port } = server.address() as AddressInfo
    return snippetOf(language, {
      url: `http://127.0.0.1:${port}`,
      appKey: 'ak_1',
      userId: USER_ID,
      fn: 'shop-add contact',
      args: ARGS,
      accountId,
      fields,
    })
  }
  const env = { ...process.env, [SECRET_VARIABLE]: SECRET }

  const commands: Readonly<Record<SnippetLanguage, (code: string) => Promise<{ stdout: string }>>> = {
    curl: (code) => run('bash', ['-euc', code], { env }),
    async typescript(code) {
      const file = join(folder, 'call.mts')
      const client = new URL('../../client/src/index.ts', `file://${__filename}`).href
      await writeFile(file, code.replace("'@onward/client'", JSON.stringify(client)))
      return run(process.execPath, ['--conditions=source', '--import', 'tsx', file], { env })
    },
    python: (code) =>
      run(PYTHON, ['-c', code], { env: { ...env, PYTHONPATH: 'packages/client-python/src', PYTHONDONTWRITEBYTECODE: '1' } }),
  }

  const withoutHttpx = spawnSync(PYTHON, ['-c', 'import httpx']).status !== 0
  if (withoutHttpx) console.warn('skipped the Python snippet: python3-httpx missing')
  const languages = (['curl', 'typescript', 'python'] as const).filter((language) => language !== 'python' || !withoutHttpx)

  it.each(languages)('makes the call in %s', async (language) => {
    const { stdout } = await commands[language](snippet(language))
    expect(stdout).toMatch(/7/)
    expect(received).toEqual([
      {
        url: expect.stringMatching(/^\/functions\/shop-add(%20)contact\/call$/),
        headers: expect.objectContaining({
          'app-key': 'ak_1',
          'user-id': USER_ID,
          hash: createHmac('sha256', SECRET).update(USER_ID).digest('hex'),
          'content-type': expect.stringContaining('application/json'),
        }),
        body: ARGS,
      },
    ])
  })

  it.each(languages)('lists the functions of an app in %s', async (language) => {
    const { port } = server.address() as AddressInfo
    const { stdout } = await commands[language](
      listingOf(language, { url: `http://127.0.0.1:${port}`, appKey: 'ak_1', userId: USER_ID, app: 'shop' }),
    )
    expect(stdout).toContain('shop-list')
    const hash = createHmac('sha256', SECRET).update(USER_ID).digest('hex')
    expect(received).toEqual([
      expect.objectContaining({
        url: '/functions/list?app=shop',
        headers: expect.objectContaining({ 'app-key': 'ak_1', 'user-id': USER_ID, hash }),
      }),
    ])
  })

  it.each(languages)('calls with a chosen account, for parts of the output, in %s', async (language) => {
    const fields = ["it's.id", 'owner.email']
    await commands[language](snippet(language, 12, fields))
    const url = '/functions/shop-add%20contact/call?connected_account_id=12'
    expect(received).toEqual([expect.objectContaining({ url, body: { ...ARGS, _fields: fields } })])
  })

  it.each(['curl', 'typescript', 'python'] as const)('reads the secret from the environment in %s', (language) => {
    expect(snippet(language)).toContain(SECRET_VARIABLE)
    expect(snippet(language)).not.toContain('sk_')
  })
})
