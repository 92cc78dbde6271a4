import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { signForTest } from '@onward/client/webhooks'
import {
  callItem,
  connectedAccount,
  ERROR_STATUS,
  functionItem,
  getApp,
  getCall,
  getSubscription,
  getUserTaskHistory,
  getUserTasks,
  listApps,
  listDeliveries,
  listOwnAccounts,
  listSubscriptions,
  listUserTasks,
  openConnectSession,
} from '@onward/contract'
import { eventually, fixedPort } from '@onward/testbed'
import { APP_KEY, openBothAreas, USER_ID } from './both-areas.ts'

const run = promisify(execFile)

/** The Python of the system: another one on PATH would not find Debian's packages. */
const PYTHON = '/usr/bin/python3'
const MODULES: Readonly<Record<string, string>> = {
  httpx: 'python3-httpx',
  pytest: 'python3-pytest',
  setuptools: 'python3-setuptools',
  wheel: 'python3-wheel',
}
const SIGNING_SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='

/** Stands for the library of a model's vendor: the model asks for contact 1. */
const MODEL = `from types import SimpleNamespace as Anthropic_

def Anthropic():
    def create(*, tools, **_):
        name = next(tool["name"] for tool in tools if tool["name"] == "addressbook-get-contact")
        block = Anthropic_(type="tool_use", id="toolu_1", name=name, input={"contact_id": 1})
        return Anthropic_(content=[block])
    return Anthropic_(messages=Anthropic_(create=create))
`

/** What each example of the README prints, by the heading above it. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'Try it':
    /^addressbook Address book\nOpen this page\..* http:\S+\n(?:127\.0\.0\.1 .*\n)?addressbook-create-contact \{'id': 1, 'name': 'Ada'\}\n1 pages\nverified: user_tasks_limit_80 \{/,
  'Call a function': /^True 200 \{'id': 1, 'name': 'Ada'\}$/,
  'Connect an account': /^Address book active\nTo connect another account, open http:\/\/127\.0\.0\.1:\d+\/connect\/\S+$/,
  'Manage accounts': /^To manage the accounts, open http:\/\/127\.0\.0\.1:\d+\/connect\/accounts\/[\w-]{43}$/,
  'Find functions': /^addressbook-\S+ \[[\s\S]*\naddressbook-create-contact 0\.\d+ \{'name': 'Ada', 'email': 'ada@example\.com'\}$/,
  'Lists and pages': /^\d+ 1 None\n\{'id': 1, 'name': 'Ada'\}$/,
  Errors: /^connect first: account_not_connected http:\/\/127\.0\.0\.1:\d+\/connect\/\S+$/,
  'Retries and time limits': /^False [0-9a-f-]{36}$/,
  'Receive webhooks': /test-1 user_tasks_limit_80 joe@example\.com 800$/,
  'Tools for language models': /'tool_use_id': 'toolu_1', 'content': '\{"network_code":200,"output":\{"id":1,"name":"Ada"\}\}'/,
  'Count tasks and set limits': /^(joe@example\.com \d+)?$/,
  'Use asyncio': /^\[\{'id': 1, 'name': 'Ada'\}, \{'id': 1, 'name': 'Ada'\}\]\naddressbook$/,
  More: /^200 True\n200 True\nAddress book [0-9a-f-]{36} \[RateLimit\([\s\S]*\] 1$/,
}

/** Examples that need more than to be run. */
const BY_HAND = ['Try it', 'Receive webhooks']

jest.setTimeout(300_000)

const missing = missingPackages()
// The tests of the Node packages need no Python.
const onlyWithPython = missing.length === 0 ? describe : describe.skip
if (missing.length > 0) console.warn(`skipped the tests of the Python client: ${missing.join(', ')} missing`)

/** Returns the Debian packages that these tests need and this machine does not have. */
function missingPackages(): readonly string[] {
  if (spawnSync(PYTHON, ['-c', '']).status !== 0) return ['python3']
  return Object.entries(MODULES).flatMap(([module, name]) => (spawnSync(PYTHON, ['-c', `import ${module}`]).status === 0 ? [] : [name]))
}

onlyWithPython('the Python client', () => {
  let folder: string
  let installed: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onward-python-'))
    installed = join(folder, 'installed')
    // The build writes into the folder of the package.
    await cp('packages/client-python', join(folder, 'package'), { recursive: true })
    const build = `from setuptools import build_meta; build_meta.build_wheel(${JSON.stringify(folder)})`
    await run(PYTHON, ['-c', build], { cwd: join(folder, 'package') })
    const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl')) ?? ''
    await run(PYTHON, ['-m', 'zipfile', '-e', join(folder, wheel), installed])
    await cp('packages/client-python/tests', join(folder, 'tests'), { recursive: true })
  })

  afterAll(() => rm(folder, { recursive: true }))

  const python = (...args: readonly string[]) =>
    run(PYTHON, args, { cwd: folder, env: { ...process.env, PYTHONPATH: installed, PYTHONDONTWRITEBYTECODE: '1' } })

  describe('as a wheel', () => {
    it('needs only httpx, and has types and a license', async () => {
      const [information = ''] = (await readdir(installed)).filter((name) => name.endsWith('.dist-info'))
      const metadata = await readFile(join(installed, information, 'METADATA'), 'utf8')
      const required = metadata.match(/^Requires-\S+: .*$/gm)?.map((line) => line.replace(/[ ()]/g, ''))
      expect(required).toEqual(['Requires-Python:>=3.9', 'Requires-Dist:httpx<1,>=0.23.3'])
      expect(metadata).toContain('\nLicense-File: LICENSE\n')
      expect(await readdir(join(installed, 'onward_client'))).toContain('py.typed')
    })

    it('passes its own tests', async () => {
      const { stdout } = await python('-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests').catch((err) => err)
      expect(stdout).toMatch(/\n\d{3} passed in [\d.]+s.*\n$/)
    })
  })

  it('names every error code', async () => {
    const { stdout } = await python('-c', 'import json, typing, onward_client as o; print(json.dumps(typing.get_args(o.ErrorCode)))')
    expect(new Set(JSON.parse(stdout))).toEqual(new Set(Object.keys(ERROR_STATUS)))
  })

  it.each([
    ['App', listApps.answer.properties.apps.items],
    ['AppWithAccounts', getApp.answer],
    ['ConnectedAccount', connectedAccount],
    ['OwnAccount', listOwnAccounts.answer.properties.connected_accounts.items],
    ['ConnectSession', openConnectSession.answer],
    ['FunctionItem', functionItem],
    ['LoggedCall', { required: callItem.required, properties: getCall.answer.properties }],
    ['TaskStatus', getUserTasks.answer],
    ['TaskStatusWithPercents', listUserTasks.answer.anyOf[0].items],
    ['TaskHistory', getUserTaskHistory.answer],
    ['Subscription', listSubscriptions.answer.properties.subscriptions.items],
    ['SubscriptionWithCounts', getSubscription.answer],
    ['Delivery', listDeliveries.answer.properties.deliveries.items],
  ])('has the fields of the contract in %s', async (name, { properties, required }) => {
    const shown = `import json, onward_client as o; t = o.${name}; print(json.dumps([*map(list, (t.__annotations__, t.__required_keys__))]))`
    const [fields, always] = JSON.parse((await python('-c', shown)).stdout)
    expect(new Set(fields)).toEqual(new Set(Object.keys(properties)))
    expect(new Set(always)).toEqual(new Set(required))
  })

  describe('in an example of its README', () => {
    let areas: Awaited<ReturnType<typeof openBothAreas>>
    let examples: Map<string, string>

    beforeAll(async () => {
      areas = await openBothAreas(1)
      const readme = await readFile('packages/client-python/README.md', 'utf8')
      examples = new Map(
        [...readme.matchAll(/^## (.+)\n(?:(?!^## )[\s\S])*?^```python\n([\s\S]*?)^```/gm)].map(([, heading = '', code = '']) => [
          heading,
          code,
        ]),
      )
    })

    afterAll(() => areas.close())

    /** Starts an example as a program of its own. */
    async function begin(heading: string, port: number): Promise<{ readonly program: ChildProcess; readonly printed: () => string }> {
      const file = join(folder, `${heading.replaceAll(' ', '_')}.py`)
      const code = examples.get(heading) ?? ''
      await writeFile(file, code.replace('from anthropic import Anthropic\n', MODEL).replaceAll('3000', String(port)))
      const program = spawn(PYTHON, [file], {
        env: {
          ...process.env,
          PYTHONPATH: installed,
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

    it('has an example for each heading of this test, and the other way round', () => {
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

    it('reads the nearest names and the request id of an error', async () => {
      const program = `
import sys
from onward_client import NotFoundError, Onward
user = Onward(base_url=sys.argv[1], app_key=sys.argv[2], app_secret=sys.argv[3]).for_user("ann@example.com")
try:
    user.functions.call("addressbook-get-contcat", {"contact_id": 1})
except NotFoundError as err:
    print(err.code, err.suggestions[0], err.request_id == err.body["request_id"])
`
      const { stdout } = await python('-c', program, areas.functions[0]?.url ?? '', APP_KEY, areas.appSecret)
      expect(stdout).toBe('function_not_found addressbook-get-contact True\n')
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
        await eventually(() => expect(printed()).toContain('test-1 user_tasks_limit_80 joe@example.com 800'))
        expect(await post(`${signed.body} `)).toBe(400)
      } finally {
        program.kill()
      }
    })
  })
})
