import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { signForTest } from '@onward/client/webhooks'
import { listSubscriptions, type PolicyRule, putPolicy } from '@onward/contract'
import { adminClient, send } from '@onward/contract-client'
import { ADMIN_TOKEN, eventually, fixedPort, openScriptedServer } from '@onward/testbed'
import { APP_KEY, openBothAreas, USER_ID } from './both-areas.ts'

type Areas = Awaited<ReturnType<typeof openBothAreas>>

/** The examples in the README of a client: the first code block below each heading. */
type Examples = {
  readonly readme: string
  /** The language of the code blocks. */
  readonly language: string
  /** What each example prints, by its heading. */
  readonly printed: Readonly<Record<string, RegExp>>
  /** Writes an example to a file, as a program that receives webhooks on `port`. Returns how to run it. */
  write(name: string, code: string, port: number): Promise<{ command: string; args: readonly string[]; env?: Record<string, string> }>
}

const TOUR = 'Try it'
const WEBHOOKS = 'Receive webhooks'
const SIGNING_SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='

/** Adds tests that run each example against both services. Returns a function that returns these services during the tests. */
export function testExamples({ readme, language, printed, write }: Examples): () => Areas {
  let areas: Areas
  let examples: Map<string, string>

  beforeAll(async () => {
    areas = await openBothAreas(1)
    const condition = { properties: { name: { const: 'Edith' } } }
    const rules: PolicyRule[] = [{ functions: ['addressbook-create-contact'], arguments: condition, result: 'ask' }]
    const admin = adminClient({ url: areas.functions[0]?.internalUrl ?? '', token: ADMIN_TOKEN })
    await send(admin, putPolicy, { params: { app_key: APP_KEY }, body: { rules } })
    const block = new RegExp(`^## (.+)\n(?:(?!^## )[^])*?^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm')
    const found = (await readFile(readme, 'utf8')).matchAll(block)
    examples = new Map([...found].map(([, heading = '', code = '']) => [heading, code]))
  })

  afterAll(() => areas.close())

  async function start(heading: string, port: number) {
    const { command, args, env } = await write(heading.replaceAll(' ', '_'), examples.get(heading) ?? '', port)
    const program = spawn(command, args, {
      env: {
        ...process.env,
        ...env,
        ONWARD_BASE_URL: areas.functions[0]?.url,
        ONWARD_APP_KEY: APP_KEY,
        ONWARD_APP_SECRET: areas.appSecret,
        ONWARD_INSIGHTS_URL: areas.insights.url,
        ONWARD_API_KEY: areas.partnerApiKey,
        ONWARD_SIGNING_SECRET: SIGNING_SECRET,
      },
    })
    let text = ''
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (text += chunk))
    return { program, output: () => text.trim() }
  }

  it('has exactly the examples that this test runs', () => {
    expect([...examples.keys()]).toEqual(Object.keys(printed))
  })

  it(`has an example that works, whatever ports are taken, and leaves no subscription: ${TOUR}`, async () => {
    const other = await openScriptedServer()
    const { program, output } = await start(TOUR, Number(new URL(other.url).port))
    const ended = new Promise((resolve) => program.once('close', resolve))
    await eventually(() => expect(output()).toContain('Open this page'))
    await eventually(async () => {
      await areas.connect('bob@example.com')
      expect(await Promise.race([ended, 'running'])).toBe(0)
    }, 60_000)
    expect(output()).toMatch(printed[TOUR] as RegExp)
    await other.close()
    expect((await send(areas.partner, listSubscriptions, {})).subscriptions).toEqual([])
  })

  const others = Object.entries(printed).filter(([heading]) => heading !== TOUR && heading !== WEBHOOKS)
  it.each(others)('has an example that works: %s', async (heading, wanted) => {
    const { program, output } = await start(heading, 0)
    const code = await new Promise((resolve) => program.once('close', resolve))
    expect(output()).toMatch(wanted)
    expect(code).toBe(0)
  })

  it(`has an example that works: ${WEBHOOKS}`, async () => {
    const port = await fixedPort()
    const { program, output } = await start(WEBHOOKS, port)
    const data = { user_id: USER_ID, current_limit: 1_000, limit_period: '30', tasks_consumed: 800, tasks_remaining: 200 }
    const complete = { ...data, limit_reset_after: 12, tasks_consumed_percent: 80, tasks_remaining_percent: 20 }
    const signed = await signForTest(complete, SIGNING_SECRET, { id: 'test-1' })
    const post = (body: string) =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers: signed.headers, body }).then(({ status }) => status)
    try {
      await eventually(async () => expect(await post(signed.body)).toBe(204))
      expect(await post(`${signed.body} `)).toBe(400)
      await eventually(() => expect(output()).toMatch(printed[WEBHOOKS] as RegExp))
    } finally {
      program.kill()
    }
  })

  return () => areas
}
