import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { eventually, fixedPort, type OpenIdProvider, openOpenIdProvider } from '@onward/testbed'
import { openBrowser } from '../support/connecting.ts'
import { allowAll, authorizeUrl, CALLBACK, callToolAt, locationOf, newProof, register, sendForm } from '../support/sign-in-support.ts'
import { ADMIN_TOKEN, type Functions, hashOf, openFunctions } from '../support/support.ts'
import { unescapeHtml } from '../support/unescape-html.ts'

jest.setTimeout(300_000)

const run = promisify(execFile)
const USER = 'joe@example.com'
const SECRET = 'secret-of-onward-0123456789'

let onward: Functions
let provider: OpenIdProvider
let folder: string
let env: Record<string, string>
let mcpUrl: string
/** The code blocks of MCP.md. */
let blocks: { readonly language: string; readonly code: string }[]

beforeAll(async () => {
  const port = await fixedPort()
  onward = await openFunctions({ env: { PORT: String(port), APPS_PATH: 'packages/dev-env/apps' } })
  provider = await openOpenIdProvider(`${onward.url}/oauth/callback`)
  const application = await onward.makeApplication('demo')
  mcpUrl = `${onward.url}/mcp/demo`
  await onward.user(USER, application).connect('notes')
  folder = await mkdtemp(join(tmpdir(), 'onward-mcp-'))
  // The command as it is after an installation, and the package that `npm install express` installs.
  const command = join(folder, 'onward')
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${resolve('packages/dev-env/bin/onward.mjs')}" "$@"\n`)
  await chmod(command, 0o755)
  await symlink(resolve('services/functions/node_modules'), join(folder, 'node_modules'))
  const keys = { ONWARD_BASE_URL: onward.url, ONWARD_APP_KEY: 'demo', ONWARD_APP_SECRET: application.secret }
  const user = { ONWARD_USER_ID: USER, ONWARD_HASH: hashOf(application.secret, USER) }
  const admin = { ONWARD_FUNCTIONS_ADMIN_URL: onward.internalUrl, ONWARD_ADMIN_TOKEN: ADMIN_TOKEN }
  env = { ...keys, ...user, ...admin, PATH: `${folder}:${process.env.PATH}`, HOME: folder }
  await mkdir(join(folder, '.onward'))
  const lines = Object.entries({ ...keys, ...user }).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(folder, '.onward', 'dev.env'), lines.join(''))
  const found = (await readFile('services/functions/MCP.md', 'utf8')).matchAll(/^```(\w+)\n(.*?)\n```$/gms)
  blocks = [...found].map(([, language = '', code = '']) => ({ language, code }))
}, 300_000)

afterAll(async () => {
  await provider.close()
  await rm(folder, { recursive: true })
})

/** Runs commands in bash, as a reader who replaces the examples of the page by real values. */
async function bash(commands: string, replaced: Readonly<Record<string, string>> = {}): Promise<string> {
  const real = Object.entries(replaced).reduce((text, [example, value]) => text.replaceAll(example, value), commands)
  return (await run('bash', ['-ec', real], { cwd: folder, env })).stdout
}

/** Returns the code blocks of a page of the documents, by their languages. */
async function blocksOf(path: string): Promise<Map<string, string>> {
  const response = await fetch(`${onward.url}${path}`)
  expect(response.status).toBe(200)
  const found = (await response.text()).matchAll(/<pre tabindex="0"><code class="(\w+)">(.*?)<\/code><\/pre>/gs)
  return new Map([...found].map(([, language = '', code = '']) => [language, unescapeHtml(code)]))
}

/** Lets a user add the MCP URL to a host, who comes to be known by `show`, and calls a first tool. */
async function addAndCall(show: (browser: ReturnType<typeof openBrowser>, authorize: string) => Promise<string>): Promise<void> {
  const client = await register(onward.url)
  const { verifier, challenge } = newProof()
  const browser = openBrowser()
  const page = await browser.open(await show(browser, authorizeUrl(onward, client.client_id, challenge, { resource: mcpUrl })))
  expect(page.text).toContain(`<bdi>${USER}</bdi>`)
  const code = locationOf(await browser.submit(page, allowAll(page))).searchParams.get('code') ?? ''
  const fields = { grant_type: 'authorization_code', client_id: client.client_id, code, code_verifier: verifier, redirect_uri: CALLBACK }
  const { body } = await sendForm(`${onward.url}/oauth/token`, fields)
  onward.third.respond((_received, response) => void response.end('"a note"'))
  expect(await callToolAt(mcpUrl, body.access_token, 'call_read_function', { name: 'notes-read-notes' })).toContain('a note')
}

describe('the pages about MCP clients', () => {
  it('are where the metadata says, and lead to each other', async () => {
    const found = await fetch(`${onward.url}/.well-known/oauth-protected-resource/mcp/demo`)
    const metadata = (await found.json()) as { resource_documentation: string }
    expect(metadata.resource_documentation).toBe(`${onward.url}/docs/mcp`)
    const text = await (await fetch(metadata.resource_documentation)).text()
    const links = [...text.matchAll(/href="(\/docs\/mcp\/[^"]+)"/g)].map(([, link]) => link)
    expect(links).toEqual(['/docs/mcp/own-page', '/docs/mcp/openid', '/docs/mcp/link'])
    for (const link of links) expect(await (await fetch(`${onward.url}${link}`)).text()).toContain('href="/docs/mcp"')
  })

  it('have a server for users of your own page, which works to the first tool call', async () => {
    const page = await blocksOf('/docs/mcp/own-page')
    await writeFile(join(folder, 'agents.mjs'), page.get('js') ?? '')
    const [set = '', install, start = ''] = (page.get('sh') ?? '').split('\n')
    expect(install).toBe('npm install express')
    const port = String(await fixedPort())
    await bash(set, { '3000': port })
    const server: ChildProcess = spawn('bash', ['-c', `exec ${start}`], { cwd: folder, env: { ...env, PORT: port }, stdio: 'ignore' })
    const ended = new Promise((done) => server.once('exit', done))
    await eventually(async () => expect((await fetch(`http://localhost:${port}/agents`)).status).toBe(200), 60_000)
    await addAndCall(async (browser, authorize) => {
      const ours = locationOf(await browser.open(authorize))
      expect(ours.href).toContain(`http://localhost:${port}/agents?request=`)
      const form = await (await fetch(ours)).text()
      const [, action = ''] = /action="([^"]+)"/.exec(form) ?? []
      const sent = { method: 'POST', body: new URLSearchParams({ user: USER }), redirect: 'manual' } as const
      return (await fetch(new URL(action, ours), sent)).headers.get('location') ?? ''
    })
    server.kill()
    await ended
    await bash('onward application mcp-sign-in demo --hand-off-url ""')
  })

  it('have commands for an OpenID provider, which work to the first tool call', async () => {
    const commands = (await blocksOf('/docs/mcp/openid')).get('bash') ?? ''
    const said = await bash(commands, { 'https://login.acme.example': provider.url, '0123456789': SECRET })
    // Without PUBLIC_URL, this address has the port of the request, which is another one for commands.
    expect(said).toMatch(/redirect_url +http\S+\/oauth\/callback/)
    await addAndCall(async (browser, authorize) => {
      const atProvider = locationOf(await browser.open(authorize))
      return (await provider.signIn(atProvider.href, USER)).href
    })
    await bash('onward application mcp-sign-in demo --openid-issuer ""')
  })

  it.each(['js', 'sh'])('have a program in %s that makes a sign-in link, which works to the first tool call', async (language) => {
    const code = (await blocksOf('/docs/mcp/link')).get(language) ?? ''
    await writeFile(join(folder, 'link.mjs'), code)
    const said = await bash(language === 'js' ? 'node link.mjs' : code)
    const [link = ''] = /http\S+\/oauth\/link\/\S+/.exec(said) ?? []
    await addAndCall(async (browser, authorize) => {
      expect((await browser.submit(await browser.open(link))).status).toBe(200)
      return authorize
    })
  })
})

describe('a code block of MCP.md', () => {
  const block = (start: string) => {
    const found = blocks.filter(({ code }) => code.startsWith(start))
    expect(found).toHaveLength(1)
    return found[0]?.code ?? ''
  }
  const BASH = [
    'onward application mcp-sign-in demo --hand',
    'onward application mcp-sign-in demo --openid',
    'onward mcp sign-in',
    'onward application mcp-client',
    'post /mcp/tokens',
  ]
  const JSON_TEXTS = ['{"url"', '{"id"', '{"mcpServers"', '{"servers"', '{"output"']

  it('is one of those that these tests run', () => {
    const starts = [...BASH, ...JSON_TEXTS, "app.post('/agents'", 'claude mcp add']
    expect(blocks.filter(({ code }) => !starts.some((start) => code.startsWith(start)))).toEqual([])
    expect(blocks).toHaveLength(starts.length)
  })

  it('in JavaScript is a part of the server that these tests run', async () => {
    expect((await blocksOf('/docs/mcp/own-page')).get('js')).toContain(block('app.post'))
  })

  it.each<[string, RegExp]>([
    ['onward application mcp-sign-in demo --hand', /hand_off_url +https:\/\/acme\.example\/agents/],
    ['onward application mcp-sign-in demo --openid', /openid_client_id +onward/],
    ['onward mcp sign-in', /\/oauth\/link\//],
    ['onward application mcp-client', /client_secret +onw_mcs_.*Our host/s],
  ])('with commands works: %s', async (start, says) => {
    expect(await bash(block(start), { 'https://login.acme.example': provider.url, '…': SECRET })).toMatch(says)
  })

  it('with JSON has the fields that the service returns, and the settings of a token are those of the hosts', async () => {
    const [, functions = ''] =
      /^```bash\n\. \.onward\/dev\.env\n(.*?)\n```$/ms.exec(await readFile('services/functions/README.md', 'utf8')) ?? []
    const made = JSON.parse(await bash(`${functions}\n${block('post /mcp/tokens')}`))
    const fields = (start: string) => Object.keys(JSON.parse(block(start)))
    expect(Object.keys(made)).toEqual(fields('{"id"'))
    const link = JSON.parse(await bash(`${functions}\npost /mcp/sign-in/link '{"expires_in_minutes": 60}'`))
    expect(Object.keys(link)).toEqual(fields('{"url"'))
    const real = (code: string) => code.replace('https://onward.example/mcp', made.url).replace('onw_mcp_…', made.token)
    expect(made.settings.claude_code).toBe(real(block('claude mcp add')))
    expect(made.settings.cursor).toEqual(JSON.parse(real(block('{"mcpServers"'))))
    expect(made.settings.vscode).toEqual(JSON.parse(real(block('{"servers"'))))
    expect(fields('{"output"')).toEqual(['output', 'network_code', '_cursor', 'call_id'])
  })
})
