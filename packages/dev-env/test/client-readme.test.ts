import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Onward } from '@onward/client'
import { signForTest } from '@onward/client/webhooks'
import { eventually, fixedPort } from '@onward/testbed'
import { APP_KEY, openBothAreas, USER_ID } from './both-areas.ts'

const SIGNING_SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='

/** Stands for the SDK of a model's vendor: the model asks for contact 1. */
const MODEL = `class Anthropic {
  messages = { create: async ({ tools }: { tools: { name: string }[] }) => ({
    content: [{ type: 'tool_use' as const, id: 'toolu_1', name: tools.find(({ name }) => name === 'addressbook-get-contact')!.name, input: { contact_id: 1 } }],
  }) }
}`

/** What each example of the README prints, by the heading above it. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'Try it':
    /^addressbook Address book\nOpen this page\..* http:\S+\naddressbook-create-contact \{ id: 1, name: 'Ada' \}\n1 pages\nverified: user_tasks_limit_80 \{/,
  'Call a function': /^true 200 \{ id: 1, name: 'Ada' \}$/,
  'Connect an account': /^Address book active\nTo connect another account, open http:\/\/127\.0\.0\.1:\d+\/connect\/\S+$/,
  'Manage accounts': /^To manage the accounts, open http:\/\/127\.0\.0\.1:\d+\/connect\/accounts\/[\w-]{43}$/,
  'Find functions': /^addressbook-\S+ \{[\s\S]*\naddressbook-create-contact 0\.\d+ \{ name: 'Ada', email: 'ada@example\.com' \}$/,
  'Lists and pages': /^\d+ 1 undefined\n\{ id: 1, name: 'Ada' \}$/,
  Errors: /^connect first: account_not_connected http:\/\/127\.0\.0\.1:\d+\/connect\/\S+$/,
  'Retries and time limits': /^false [0-9a-f-]{36}$/,
  'Receive webhooks': /^test-1 user_tasks_limit_80 joe@example\.com 800$/,
  'Tools for language models': /tool_use_id: 'toolu_1',\n {2}content: '\{"network_code":200,"output":\{"id":1,"name":"Ada"\}\}'/,
  'Count tasks and set limits': /^(joe@example\.com \d+)?$/,
  More: /^200 \d+\n200 \d+\nAddress book [0-9a-f-]{36} \[[\s\S]*\] 1$/,
}

/** Examples that need more than to be run. */
const BY_HAND = ['Try it', 'Receive webhooks']

jest.setTimeout(90_000)

let areas: Awaited<ReturnType<typeof openBothAreas>>
let folder: string
let examples: Map<string, string>

beforeAll(async () => {
  areas = await openBothAreas(1)
  // Inside the package, so that the examples find the client.
  folder = await mkdtemp(join(process.cwd(), 'packages/dev-env/.examples-'))
  const readme = await readFile('packages/client/README.md', 'utf8')
  examples = new Map(
    [...readme.matchAll(/^## (.+)\n(?:(?!^## )[\s\S])*?^```ts\n([\s\S]*?)^```/gm)].map(([, heading = '', code = '']) => [heading, code]),
  )
})

afterAll(async () => {
  await rm(folder, { recursive: true })
  await areas.close()
})

/** Starts an example as a program of its own. */
async function begin(heading: string, port: number): Promise<{ readonly program: ChildProcess; readonly printed: () => string }> {
  const file = join(folder, `${heading.replaceAll(' ', '-')}.mts`)
  const code = examples.get(heading) ?? ''
  await writeFile(file, code.replace("import Anthropic from '@anthropic-ai/sdk'", MODEL).replaceAll('3000', String(port)))
  const program = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', file], {
    env: {
      ...process.env,
      ONWARD_BASE_URL: areas.functions[0]?.url,
      ONWARD_APP_KEY: APP_KEY,
      ONWARD_APP_SECRET: areas.appSecret,
      ONWARD_INSIGHTS_URL: areas.insights.url,
      ONWARD_API_KEY: areas.partnerApiKey,
      ONWARD_SIGNING_SECRET: SIGNING_SECRET,
    },
  })
  let printed = ''
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (chunk) => (printed += chunk))
  return { program, printed: () => printed.trim() }
}

describe('an example of the README of the client', () => {
  it('exists for each heading of this test, and the other way round', () => {
    expect([...examples.keys()]).toEqual(Object.keys(PRINTED))
  })

  it('works: Try it', async () => {
    const { program, printed } = await begin('Try it', await fixedPort())
    const ended = new Promise((resolve) => program.once('close', resolve))
    await eventually(() => expect(printed()).toContain('Open this page'), 30_000)
    await eventually(async () => {
      await areas.connect('bob@example.com')
      expect(await Promise.race([ended, 'running'])).toBe(0)
    }, 60_000)
    expect(printed()).toMatch(PRINTED['Try it'] as RegExp)
  })

  it.each(Object.entries(PRINTED).filter(([heading]) => !BY_HAND.includes(heading)))('works: %s', async (heading, wanted) => {
    const { program, printed } = await begin(heading, 0)
    const code = await new Promise((resolve) => program.once('close', resolve))
    expect(printed()).toMatch(wanted)
    expect(code).toBe(0)
  })

  it('works: Receive webhooks', async () => {
    const port = await fixedPort()
    const { program, printed } = await begin('Receive webhooks', port)
    const data = { user_id: USER_ID, current_limit: 1_000, limit_period: '30', tasks_consumed: 800, tasks_remaining: 200 }
    const complete = { ...data, limit_reset_after: 12, tasks_consumed_percent: 80, tasks_remaining_percent: 20 }
    const signed = await signForTest(complete, SIGNING_SECRET, { id: 'test-1' })
    const post = (body: string) =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers: signed.headers, body }).then(({ status }) => status)
    try {
      await eventually(async () => expect(await post(signed.body)).toBe(204), 20_000)
      expect(await post(`${signed.body} `)).toBe(400)
      await eventually(() => expect(printed()).toMatch(PRINTED['Receive webhooks'] as RegExp))
    } finally {
      program.kill()
    }
  })
})

describe('the client', () => {
  it('reads the nearest names and the request id of an error', async () => {
    const client = new Onward({ baseUrl: areas.functions[0]?.url ?? '', appKey: APP_KEY, appSecret: areas.appSecret })
    const failed = await client
      .forUser(USER_ID)
      .functions.call('addressbook-get-contcat', { contact_id: 1 })
      .catch((err) => err)
    expect(failed).toMatchObject({ code: 'function_not_found', requestId: failed.body.request_id })
    expect(failed.suggestions[0]).toBe('addressbook-get-contact')
  })
})
