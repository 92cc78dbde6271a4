import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as sendHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listen, makeEndpoints, publicApp } from '@onward/runtime'
import { sendJson } from '@onward/testbed'
import { openContext } from '../src/open-context.ts'
import { mcpEndpoint } from '../src/routes/mcp.ts'
import { openFixture } from './mcp-fixture.ts'
import { createToken } from './mcp-support.ts'
import { useFunctions } from './support.ts'

jest.setTimeout(300_000)

/**
 * Only the alpha versions know the revision 2026-07-28, and they need Node 22. npx downloads them, so these tests run only by
 * `npm run test:mcp`.
 */
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const run = promisify(execFile)
const onNode22 = Number(process.versions.node.split('.')[0]) >= 22 ? describe : describe.skip

const onward = useFunctions()
const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** Opens a proxy that adds the token to each request, because the suite sends no credentials. Returns its URL. */
async function withToken(url: string, token: string): Promise<string> {
  const { hostname: host, port } = new URL(url)
  const proxy = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${token}` }
    const onwardRequest = sendHttp({ host, port, method: req.method, path: req.url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    onwardRequest.on('error', () => res.destroy())
    req.pipe(onwardRequest)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
  })
  return `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`
}

let folder: string
let product: string
let fixture: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-mcp-'))
  closing.push(async () => await rm(folder, { recursive: true }))
  onward.third.answer((_received, response) => sendJson(response, 200, []))
  const user = onward.user('joe')
  await user.connect('desk')
  const { token } = await createToken(user)
  product = await withToken(onward.url, token)

  const ctx = await openContext(onward.config)
  closing.push(async () => await ctx.close())
  const endpoints = makeEndpoints([], ['/mcp'])
  const app = publicApp(ctx.config, { log: ctx.log, seconds: ctx.metrics.requestSeconds, endpoints, senderOf: () => ({}) })
  app.all('/mcp', mcpEndpoint(ctx, openFixture(), 1_048_576))
  const listening = await listen(app, '127.0.0.1', 0)
  closing.push(async () => await listening.close(0))
  fixture = await withToken(listening.url, token)
})

/** Runs a scenario, and returns what it prints. */
async function runScenario(url: string, version: string, scenario: string): Promise<string> {
  const args = ['-y', '--prefer-offline', SUITE, 'server', '--url', url, '--scenario', scenario, '--spec-version', version, '--verbose']
  const { stdout } = await run('npx', args, { cwd: folder, maxBuffer: 16 * 1_048_576 }).catch(
    (err: { stdout: string; message: string }) => {
      throw new Error(`${err.message}\n${err.stdout}`)
    },
  )
  return stdout
}

const OF_BOTH = [
  'completion-complete',
  'dns-rebinding-protection',
  'prompts-get-embedded-resource',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-with-image',
  'prompts-list',
  'resources-list',
  'resources-read-binary',
  'resources-read-text',
  'resources-templates-read',
  'server-sse-multiple-streams',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-error',
  'tools-call-image',
  'tools-call-mixed-content',
  'tools-call-simple-text',
  'tools-call-with-progress',
  'tools-list',
]

onNode22('the conformance suite', () => {
  /** Scenarios that need no tools of their own run against the product, all others against the fixture behind the same transport. */
  it.each<[string, string, 'product' | 'fixture']>([
    ['2026-07-28', 'caching', 'product'],
    ['2026-07-28', 'dns-rebinding-protection', 'product'],
    ['2026-07-28', 'tools-list', 'product'],
    ['2025-11-25', 'dns-rebinding-protection', 'product'],
    ['2025-11-25', 'ping', 'product'],
    ['2025-11-25', 'server-initialize', 'product'],
    ['2025-11-25', 'tools-list', 'product'],
    ['2026-07-28', 'sep-2164-resource-not-found', 'fixture'],
    ['2026-07-28', 'server-stateless', 'fixture'],
    ['2025-11-25', 'logging-set-level', 'fixture'],
    ...OF_BOTH.flatMap((scenario) =>
      ['2026-07-28', '2025-11-25'].map((version) => [version, scenario, 'fixture'] as [string, string, 'fixture']),
    ),
  ])('%s: %s passes against the %s', async (version, scenario, target) => {
    const printed = await runScenario(target === 'product' ? product : fixture, version, scenario)
    expect(printed).toContain(', 0 failed')
  })
})
