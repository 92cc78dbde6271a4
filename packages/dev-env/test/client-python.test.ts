import { execFile, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
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
import { APP_KEY } from './both-areas.ts'
import { testExamples } from './readme-examples.ts'

const run = promisify(execFile)

/** The Python of the system. Another one on PATH might not find Debian's packages. */
const PYTHON = '/usr/bin/python3'
const MODULES: Readonly<Record<string, string>> = {
  httpx: 'python3-httpx',
  pytest: 'python3-pytest',
  setuptools: 'python3-setuptools',
  wheel: 'python3-wheel',
}

/** Replaces the vendor's library in the example. Its model always asks for contact 1. */
const MODEL = `from types import SimpleNamespace as Anthropic_

def Anthropic():
    def create(*, tools, **_):
        name = next(tool["name"] for tool in tools if tool["name"] == "addressbook-get-contact")
        block = Anthropic_(type="tool_use", id="toolu_1", name=name, input={"contact_id": 1})
        return Anthropic_(content=[block])
    return Anthropic_(messages=Anthropic_(create=create))
`

/** What each example of the README prints, by its heading. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'Try it':
    /^addressbook Address book\nOpen this page\..* http:\S+\n(?:127\.0\.0\.1 .*\n)?addressbook-create-contact \{'id': 1, 'name': 'Ada'\}\n1 pages\nverified: user_tasks_limit_80 \{/,
  'Call a function': /^POST http:\S+\/contacts\nTrue 200 \{'id': 1\}$/,
  'Connect an account': /^Address book active\nTo connect another account, open http:\/\/127\.0\.0\.1:\d+\/connect\/\S+$/,
  'Manage accounts': /^To manage the accounts, open http:\/\/127\.0\.0\.1:\d+\/connect\/accounts\/[\w-]{43}$/,
  'Find functions': /^addressbook-\S+ \[[\s\S]*\naddressbook-create-contact 0\.\d+ \{'name': 'Ada', 'email': 'ada@example\.com'\}$/,
  'Lists and pages': /^\d+ 1 None(\n\{'id': 1, 'name': 'Ada'\}){3}$/,
  Errors: /^connect first: account_not_connected http:\/\/127\.0\.0\.1:\d+\/connect\/\S+$/,
  'Retries and time limits': /^False [0-9a-f-]{36}$/,
  'Receive webhooks': /test-1 user_tasks_limit_80 joe@example\.com$/m,
  'Tools for language models': /'tool_use_id': 'toolu_1', 'content': '\{"network_code":200,"output":\{"id":1,"name":"Ada"\}\}'/,
  'Approve calls': /^decide at http:\S+\/oauth\/approvals\/[0-9a-f-]{36}\nCreate contact \{"name":"Edith"[^\n]*\}$/,
  'Let agents act for a user':
    /^Add http:\S+\/mcp\/\S+ to a program, and open http:\S+\/oauth\/link\/\S+\nLaptop of Joe None \['addressbook'\] True$/,
  'Count tasks and set limits': /^(joe@example\.com \d+)?$/,
  'Use asyncio': /^\[\{'id': 1, 'name': 'Ada'\}, \{'id': 1, 'name': 'Ada'\}\]\naddressbook$/,
  More: /^200 True\n200 True\nAddress book [0-9a-f-]{36} \[RateLimit\([\s\S]*\] 1$/,
}

jest.setTimeout(300_000)

const missing = missingPackages()
// The tests of the Node packages need no Python.
const onlyWithPython = missing.length === 0 ? describe : describe.skip
if (missing.length > 0) console.warn(`skipped the tests of the Python client: ${missing.join(', ')} missing`)

/** Returns the content of each Python file of a folder, by its name. */
async function readFiles(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.py'))
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])))
}

/** Returns the Debian packages that these tests need and this machine does not have. */
function missingPackages(): readonly string[] {
  if (spawnSync(PYTHON, ['-c', '']).status !== 0) return ['python3']
  return Object.entries(MODULES).flatMap(([module, name]) => (spawnSync(PYTHON, ['-c', `import ${module}`]).status === 0 ? [] : [name]))
}

/** Type checks the client, as Debian 12's mypy needs to be told. */
const MYPY = ['-m', 'mypy', '--strict', '--enable-incomplete-feature=Unpack']
const itWithMypy = spawnSync(PYTHON, ['-c', 'import mypy']).status === 0 ? it : it.skip
if (itWithMypy === it.skip) console.warn('skipped the type check of the Python client: python3-mypy missing')

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

  it('has modules without asyncio that are generated from those with asyncio', async () => {
    const modules = join(folder, 'package/src/onward_client')
    const before = await readFiles('packages/client-python/src/onward_client')
    for (const name of await readdir(modules))
      if (!name.includes('_async_') && before[name]?.startsWith('# Generated')) await rm(join(modules, name))
    await run(PYTHON, [join(folder, 'package/generate_sync.py')])
    expect(await readFiles(modules)).toEqual(before)
    expect(Object.values(before).filter((text) => text.startsWith('# Generated'))).toHaveLength(6)
  })

  itWithMypy('passes type checking, with the examples of its README and with programs that use vendors', async () => {
    const readme = await readFile('packages/client-python/README.md', 'utf8')
    const examples = [...readme.matchAll(/^```python\n([\s\S]*?)^```/gm)].map(([, code = ''], n) => ({
      file: join(folder, `example_${n}.py`),
      code,
    }))
    expect(examples).toHaveLength(Object.keys(PRINTED).length)
    for (const { file, code } of examples) await writeFile(file, code)
    const types = join(folder, 'tests/types')
    const checked = [join(installed, 'onward_client'), join(types, 'programs.py'), ...examples.map(({ file }) => file)]
    const env = { ...process.env, MYPYPATH: `${installed}:${types}` }
    const { stdout } = await run(PYTHON, [...MYPY, ...checked], { cwd: folder, env }).catch((err) => err)
    expect(stdout).toMatch(/^Success: no issues found in \d+ source files$/m)
  })

  it('names every error code', async () => {
    const { stdout } = await python('-c', 'import json, typing, onward_client as o; print(json.dumps(typing.get_args(o.ErrorCode)))')
    expect(new Set(JSON.parse(stdout))).toEqual(new Set(Object.keys(ERROR_STATUS)))
  })

  it.each([
    ['App', listApps.response.properties.apps.items],
    ['AppWithAccounts', getApp.response],
    ['ConnectedAccount', connectedAccount],
    ['OwnAccount', listOwnAccounts.response.properties.connected_accounts.items],
    ['ConnectSession', openConnectSession.response],
    ['FunctionItem', functionItem],
    ['LoggedCall', { required: callItem.required, properties: getCall.response.properties }],
    ['TaskStatus', getUserTasks.response],
    ['TaskStatusWithPercents', listUserTasks.response.anyOf[0].items],
    ['TaskHistory', getUserTaskHistory.response],
    ['Subscription', listSubscriptions.response.properties.subscriptions.items],
    ['SubscriptionWithCounts', getSubscription.response],
    ['Delivery', listDeliveries.response.properties.deliveries.items],
  ])('has the fields of the contract in %s', async (name, { properties, required }) => {
    const shown = `import json, onward_client as o; t = o.${name}; print(json.dumps([*map(list, (t.__annotations__, t.__required_keys__))]))`
    const [fields, always] = JSON.parse((await python('-c', shown)).stdout)
    expect(new Set(fields)).toEqual(new Set(Object.keys(properties)))
    expect(new Set(always)).toEqual(new Set(required))
  })

  describe('and its README, with both services,', () => {
    const areas = testExamples({
      readme: 'packages/client-python/README.md',
      language: 'python',
      printed: PRINTED,
      async write(name, code, port) {
        const file = join(folder, `${name}.py`)
        await writeFile(file, code.replace('from anthropic import Anthropic\n', MODEL).replaceAll('3000', String(port)))
        return { command: PYTHON, args: [file], env: { PYTHONPATH: installed } }
      },
    })

    it('describes errors with the nearest names and the id of the request', async () => {
      const program = `
import sys
from onward_client import NotFoundError, Onward
user = Onward(base_url=sys.argv[1], app_key=sys.argv[2], app_secret=sys.argv[3]).for_user("ann@example.com")
try:
    user.functions.call("addressbook-get-contcat", {"contact_id": 1})
except NotFoundError as err:
    print(err.code, err.suggestions[0], err.request_id == err.body["request_id"])
`
      const { stdout } = await python('-c', program, areas().functions[0]?.url ?? '', APP_KEY, areas().appSecret)
      expect(stdout).toBe('function_not_found addressbook-get-contact True\n')
    })
  })
})
