import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request as sendHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listen, makeEndpoints, publicApp } from '@onward/runtime'
import { eventually, fixedPort, openScriptedServer, sendJson } from '@onward/testbed'
import { openContext } from '../../src/open-context.ts'
import { mcpEndpoint } from '../../src/routes/mcp.ts'
import { openFixture } from '../support/mcp-fixture.ts'
import { createToken, type Era } from '../support/mcp-support.ts'
import { allowAll, locationOf, register, signIn } from '../support/sign-in-support.ts'
import { useFunctions } from '../support/support.ts'

jest.setTimeout(300_000)

/**
 * Only the alpha versions know the revision 2026-07-28, and they need Node 22. npx downloads them, so these tests run only by
 * `npm run test:mcp`.
 */
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'

const NO_STATE = 'the server asks at most one question for a call, and sends no state with it'
const NO_SESSIONS = 'needs a session, and the server keeps none'
const NO_NOTICES = 'the server has no resources, and sends no notices of changes'
const ONLY_TOOLS = 'the server has no prompts and no resources'

/** What the suite requires of every server and does not apply to ours: scenarios or `scenario:check`, with the reason. */
const NOT_APPLICABLE: Readonly<Record<Era, Readonly<Record<string, string>>>> = {
  '2026-07-28': {
    'input-required-result-request-state': NO_STATE,
    'input-required-result-multiple-input-requests': NO_STATE,
    'input-required-result-multi-round': NO_STATE,
    'input-required-result-tampered-state': NO_STATE,
  },
  '2025-11-25': {
    'tools-call-sampling': NO_SESSIONS,
    'tools-call-elicitation': NO_SESSIONS,
    'elicitation-sep1034-defaults': NO_SESSIONS,
    'elicitation-sep1330-enums': NO_SESSIONS,
    'server-sse-multiple-streams': NO_SESSIONS,
    'resources-subscribe': NO_NOTICES,
    'resources-unsubscribe': NO_NOTICES,
  },
}
const CACHING = {
  'caching:sep-2549-prompts-list-caching-hints': ONLY_TOOLS,
  'caching:sep-2549-resources-list-caching-hints': ONLY_TOOLS,
  'caching:sep-2549-resources-templates-list-caching-hints': ONLY_TOOLS,
}

/** The suite's scenarios for authorization servers. All must pass. */
const ALL_OF_AUTHORIZATION = {
  code: 0,
  passed: ['authorization-code-grant', 'authorization-server-metadata-endpoint'],
  failed: [],
}

const run = promisify(execFile)
const onNode22 = Number(process.versions.node.split('.')[0]) >= 22 ? describe : describe.skip

const onward = useFunctions()

onNode22('the conformance suite', () => {
  const closing: (() => Promise<void>)[] = []
  let folder: string
  let product: string
  let fixture: string

  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onward-mcp-'))
    closing.push(async () => await rm(folder, { recursive: true }))
    onward.third.respond((_received, response) => sendJson(response, 200, []))
    const user = onward.user('joe')
    await user.connect('desk')
    const { token } = await createToken(user)
    product = await openProxy(onward.url, token)
    fixture = await openProxy(await startFixture(), token)
    // The suite sends the address of the server as the origin of its requests too.
    const settings = { workspace_id: 'workspace-1', name: 'x', allowed_origins: [product, fixture] }
    await onward.admin('put', `/admin/applications/${onward.application.appKey}`, settings).expect(200)
  })

  /** Starts a server with the fixture behind our own transport. Returns its URL. */
  async function startFixture(): Promise<string> {
    const ctx = await openContext(onward.config)
    closing.push(async () => await ctx.close())
    const endpoints = makeEndpoints([], ['/mcp'])
    const app = publicApp(ctx.config, { log: ctx.log, seconds: ctx.metrics.requestSeconds, endpoints, senderOf: () => ({}) })
    app.all('/mcp', mcpEndpoint(ctx, openFixture(), 1_048_576))
    const listening = await listen(app, '127.0.0.1', 0)
    closing.push(async () => await listening.close(0))
    return listening.url
  }

  /** Opens a proxy that adds the token to each request, because the suite sends no credentials. Returns its URL. */
  async function openProxy(url: string, token: string): Promise<string> {
    const { hostname: host, port } = new URL(url)
    const proxy = createServer((req, res) => {
      const headers = { ...req.headers, authorization: `Bearer ${token}` }
      const onwardRequest = sendHttp({ host, port, method: req.method, path: req.url, headers }, (response) => {
        res.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(res)
      })
      onwardRequest.on('error', () => res.destroy())
      req.pipe(onwardRequest)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    closing.push(async () => {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    })
    return `http://localhost:${(proxy.address() as AddressInfo).port}`
  }

  /**
   * Runs scenarios of the suite. Returns its exit code, the scenarios in which a check passed, and each failed check. The exit code is 0 if
   * exactly the scenarios in `notApplicable` fail.
   */
  async function runSuite(url: string, args: readonly string[], notApplicable: object = {}) {
    const output = await mkdtemp(join(folder, 'output-'))
    // JSON is valid YAML.
    const baseline = join(output, 'baseline.yaml')
    await writeFile(baseline, JSON.stringify({ server: Object.keys(notApplicable) }))
    const options = ['--url', `${url}/mcp`, '--output-dir', join(output, 'checks'), '--expected-failures', baseline, ...args]
    const code = await exitCodeOf(startSuite(['server', ...options]))
    return { code, ...(await readChecks(join(output, 'checks'))) }
  }

  function startSuite(args: readonly string[]) {
    return run('npx', ['-y', '--prefer-offline', SUITE, ...args], { cwd: folder, maxBuffer: 16 * 1_048_576 })
  }

  /** Runs all scenarios for authorization servers, as a client with this id. In a browser, a user allows what the suite asks for. */
  async function runAuthorization(clientId: string) {
    const output = await mkdtemp(join(folder, 'output-'))
    const port = await fixedPort()
    const options = ['--client-id', clientId, '--resource', onward.mcpUrl, '--port', String(port), '--output-dir', output]
    const running = startSuite(['authorization', '--url', onward.url, ...options])
    let printed = ''
    running.child.stdout?.on('data', (text: string) => {
      printed += text
    })
    const code = exitCodeOf(running)
    const browser = await signIn(onward.newUser())
    const url = await eventually(() => {
      const [found] = /^http\S+\/oauth\/authorize\S+$/m.exec(printed) ?? []
      if (found === undefined) throw new Error(`the suite asks for no authorization: ${printed}`)
      return found
    }, 60_000)
    const page = await browser.open(url)
    await (await fetch(locationOf(await browser.submit(page, allowAll(page))))).text()
    return { code: await code, ...(await readChecks(output)) }
  }

  it.each(['2026-07-28', '2025-11-25'] as const)('finds all that %s requires in a server behind our transport', async (version) => {
    const { code, passed, failed } = await runSuite(fixture, ['--requirements', version], NOT_APPLICABLE[version])
    expect({ code, failed: code === 0 ? [] : failed }).toEqual({ code: 0, failed: [] })
    expect(passed).toEqual(expect.arrayContaining(['tools-list', 'tools-call-simple-text', 'resources-read-text', 'prompts-list']))
  })

  it.each<[Era, string, object]>([
    ['2026-07-28', 'caching', CACHING],
    ['2026-07-28', 'dns-rebinding-protection', {}],
    ['2026-07-28', 'tools-list', {}],
    ['2025-11-25', 'dns-rebinding-protection', {}],
    ['2025-11-25', 'ping', {}],
    ['2025-11-25', 'server-initialize', {}],
    ['2025-11-25', 'tools-list', {}],
  ])('finds what %s requires for %s in our server', async (version, scenario, notApplicable) => {
    const { code, passed, failed } = await runSuite(product, ['--spec-version', version, '--scenario', scenario], notApplicable)
    // The exit code is 0 also for a scenario that was skipped.
    expect({ code, passed, failed: code === 0 ? [] : failed }).toEqual({ code: 0, passed: [scenario], failed: [] })
  })

  it('finds what MCP requires of an authorization server, for a client that registered itself', async () => {
    const client = await register(onward.url, { redirect_uris: ['http://127.0.0.1/callback'] })
    expect(await runAuthorization(client.client_id)).toEqual(ALL_OF_AUTHORIZATION)
  })

  it('finds what MCP requires of an authorization server, for a client with a metadata document', async () => {
    const host = await openScriptedServer()
    closing.push(async () => await host.close())
    const client_id = `${host.url}/client.json`
    const document = { client_id, redirect_uris: ['http://127.0.0.1/callback'], token_endpoint_auth_method: 'none' }
    host.respond((_received, response) => sendJson(response, 200, document))
    expect(await runAuthorization(client_id)).toEqual(ALL_OF_AUTHORIZATION)
  })
})

async function exitCodeOf(running: Promise<unknown>): Promise<unknown> {
  return await running.then(
    () => 0,
    (err: { code: unknown }) => err.code,
  )
}

/** A check of the suite, as it writes it to `checks.json`. */
type Check = { readonly id: string; readonly status: string; readonly errorMessage?: string }

/** Returns the scenarios in which a check passed, and each failed check with its reason. The suite has a folder for each scenario. */
async function readChecks(folder: string): Promise<{ passed: string[]; failed: string[] }> {
  const [passed, failed]: [string[], string[]] = [[], []]
  for (const name of await readdir(folder)) {
    const scenario = name.replace(/^(authorization-)?server-|-\d{4}-\d\d-\d\dT.*$/g, '')
    const checks: Check[] = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8'))
    if (checks.some(({ status }) => status === 'SUCCESS')) passed.push(scenario)
    for (const { id, status, errorMessage } of checks) if (/FAILURE|WARNING/.test(status)) failed.push(`${scenario}:${id}: ${errorMessage}`)
  }
  return { passed, failed }
}
