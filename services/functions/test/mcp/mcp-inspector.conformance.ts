import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sendJson } from '@onward/testbed'
import { createToken } from '../support/mcp-support.ts'
import { useFunctions } from '../support/support.ts'

jest.setTimeout(300_000)

/** It needs Node 22.19. npx downloads it, so these tests run only by `npm run test:mcp`. */
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'
const run = promisify(execFile)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const onNode22 = major > 22 || (major === 22 && minor >= 19) ? describe : describe.skip

const onward = useFunctions()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-inspector-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs the command line of the inspector. Returns the result that it prints, and its exit code. */
async function inspect(token: string, era: string, args: readonly string[]) {
  const server = ['--server-url', `${onward.url}/mcp`, '--header', `Authorization: Bearer ${token}`, '--protocol-era', era]
  const all = ['-y', '--prefer-offline', INSPECTOR, '--cli', ...server, '--format', 'json', ...args]
  const { code, stdout, stderr } = await run('npx', all, { cwd: folder, maxBuffer: 16 * 1_048_576 }).then(
    (printed) => ({ code: 0, ...printed }),
    (err: { code: number; stdout: string; stderr: string }) => err,
  )
  return { code, result: stdout === '' ? stderr : JSON.parse(stdout).result }
}

onNode22('the command line of the inspector', () => {
  it.each(['modern', 'legacy'])('lists tools whose schemas have no problem, and calls one, in the %s era', async (era) => {
    onward.third.respond((_received, response) => sendJson(response, 200, { id: 7 }))
    const user = onward.user(`user-${era}`)
    await user.connect('desk')
    const { token, tools } = await createToken(user)
    const listed = await inspect(token, era, ['--method', 'tools/list', '--strict'])
    expect(listed).toMatchObject({ code: 0, result: { tools: expect.any(Array) } })
    expect(listed.result.tools).toHaveLength(tools)
    const tool = ['--tool-name', 'desk-get-ticket', '--tool-args-json', '{"ticket_id":"7"}']
    const called = await inspect(token, era, ['--method', 'tools/call', ...tool])
    expect(called).toMatchObject({ code: 0, result: { content: [{ type: 'text', text: expect.stringContaining('"output":{"id":7}') }] } })
    expect(onward.third.received.at(-1)?.url).toContain('/tickets/7')

    const search = await createToken(user, { mode: 'search' })
    const searching = await inspect(search.token, era, ['--method', 'tools/list', '--strict'])
    expect(searching).toMatchObject({ code: 0 })
    expect(searching.result.tools).toHaveLength(6)
  })
})
