import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Onward } from '@onward/client'
import { APP_KEY, USER_ID } from './both-areas.ts'
import { testExamples } from './readme-examples.ts'

/** Replaces the vendor's SDK in the example. Its model always asks for contact 1. */
const MODEL = `class Anthropic {
  messages = { create: async ({ tools }) => ({
    content: [{ type: 'tool_use', id: 'toolu_1', name: tools.find(({ name }) => name === 'addressbook-get-contact').name, input: { contact_id: 1 } }],
  }) }
}`

/** What each example of the README prints, by its heading. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'Try it':
    /^addressbook Address book\nOpen this page\..* http:\S+\naddressbook-create-contact \{ id: 1, name: 'Ada' \}\n1 pages\nverified: user_tasks_limit_80 \{/,
  'Call a function': /^POST http:\S+\/contacts\ntrue 200 \{ id: 1 \}$/,
  'Connect an account': /^Address book active\nTo connect another account, open http:\/\/127\.0\.0\.1:\d+\/connect\/\S+$/,
  'Manage accounts': /^To manage the accounts, open http:\/\/127\.0\.0\.1:\d+\/connect\/accounts\/[\w-]{43}$/,
  'Find functions': /^addressbook-\S+ \{[\s\S]*\naddressbook-create-contact 0\.\d+ \{ name: 'Ada', email: 'ada@example\.com' \}$/,
  'Lists and pages': /^\d+ 1 undefined(\n\{ id: 1, name: 'Ada' \}){3}$/,
  Errors: /^connect first: account_not_connected http:\/\/127\.0\.0\.1:\d+\/connect\/\S+$/,
  'Retries and time limits': /^false [0-9a-f-]{36}$/,
  'Receive webhooks': /^test-1 user_tasks_limit_80 joe@example\.com$/,
  'Tools for language models': /tool_use_id: 'toolu_1',\n {2}content: '\{"network_code":200,"output":\{"id":1,"name":"Ada"\}\}'/,
  'Approve calls': /^decide at http:\S+\/oauth\/approvals\/[0-9a-f-]{36}\nCreate contact \{"name":"Edith"[^\n]*\}$/,
  'Let agents act for a user':
    /^Add http:\S+\/mcp\/\S+ to a program, and open http:\S+\/oauth\/link\/\S+\nLaptop of Joe undefined \[ 'addressbook' \] true$/,
  'Count tasks and set limits': /^(joe@example\.com \d+)?$/,
  More: /^200 \d+\n200 \d+\nAddress book [0-9a-f-]{36} \[[\s\S]*\] \{[\s\S]*name: 'addressbook'[\s\S]*\}$/,
}

let folder: string

beforeAll(async () => {
  // Inside the package, so that the examples find the client.
  folder = await mkdtemp(join(process.cwd(), 'packages/dev-env/.examples-'))
})

afterAll(() => rm(folder, { recursive: true }))

describe('the README of the TypeScript client', () => {
  const areas = testExamples({
    readme: 'packages/client/README.md',
    language: 'ts',
    printed: PRINTED,
    async write(name, code, port) {
      const file = join(folder, `${name}.mjs`)
      await writeFile(file, code.replace("import Anthropic from '@anthropic-ai/sdk'", MODEL).replaceAll('3000', String(port)))
      return { command: process.execPath, args: ['--conditions=source', '--import', 'tsx', file] }
    },
  })

  it('describes errors with the nearest names and the id of the request', async () => {
    const client = new Onward({ baseUrl: areas().functions[0]?.url ?? '', appKey: APP_KEY, appSecret: areas().appSecret })
    const failed = await client
      .forUser(USER_ID)
      .functions.call('addressbook-get-contcat', { contact_id: 1 })
      .catch((err) => err)
    expect(failed).toMatchObject({ code: 'function_not_found', requestId: failed.body.request_id })
    expect(failed.suggestions[0]).toBe('addressbook-get-contact')
  })
})
