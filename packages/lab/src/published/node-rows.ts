import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Result, runRows, type Target } from './row.ts'

type Options = { readonly user_id: string } & Readonly<Record<string, unknown>>
type Body = { readonly [key: string]: unknown }

/** The published Node client, as far as the rows use it. */
type Client = {
  readonly apps: { list(options: Options, all?: boolean): Promise<unknown>; get(name: string, options: Options): Promise<unknown> }
  readonly functions: {
    list(options: Options, all?: boolean): Promise<unknown>
    get(name: string, options: Options): Promise<unknown>
    predict(options: Options): Promise<unknown>
    call(name: string, options: Options): Promise<unknown>
  }
  /** The address is fixed; only this property changes it. */
  readonly client: { readonly client: { readonly defaults: { baseURL: string } } }
}

const LIST = 'addressbook-list-contacts'
const GET = 'addressbook-get-contact'
const CREATE = 'addressbook-create-contact'

/** Uses each method of the Node client in the folder `nodejs`, whose dependencies must be installed. */
export async function nodeRows(from: string, target: Target): Promise<Result> {
  const folder = join(from, 'nodejs')
  if (!existsSync(join(folder, 'src/index.ts'))) return { skipped: `there is no ${folder}/src/index.ts` }
  if (!existsSync(join(folder, 'node_modules/axios'))) return { skipped: `run npm install --omit=dev in ${folder}` }
  const loaded = await import(pathToFileURL(join(folder, 'src/index.ts')).href)
  const Integry = loaded.default.default ?? loaded.default

  function open(appSecret: string): Client {
    const client: Client = new Integry({ appKey: target.app_key, appSecret })
    client.client.client.defaults.baseURL = target.url
    return client
  }
  const { apps, functions } = open(target.app_secret)
  const joe = { user_id: target.user_id }
  const other = { user_id: target.other_user_id }
  const call = async (name: string, params: object, options: object = {}) =>
    (await functions.call(name, { ...joe, params, ...options })) as Body & { readonly output: readonly unknown[] & { readonly id: number } }

  /** Follows the pages of a function, and returns the number of items. */
  async function walk(name: string): Promise<number> {
    let items = 0
    for (let params: object = {}, pages = 0; pages < 20; pages++) {
      const { output, _cursor } = await call(name, params)
      items += output.length
      if (_cursor === undefined || _cursor === null) return items
      params = { _cursor }
    }
    throw new Error('the pages have no end')
  }

  const rows = await runRows({
    'apps.list: one page': async () => assert((await listed(apps.list(joe), 'apps')).length > 0),
    'apps.list: all pages': async () => assert(((await apps.list(joe, true)) as unknown[]).length > 40),
    'apps.list: connected_only': async () =>
      assert.deepEqual(await listed(apps.list({ ...joe, connected_only: true }), 'apps'), ['addressbook']),
    'apps.get': async () => assert.equal(((await apps.get('addressbook', joe)) as Body).title, 'Address book'),
    'apps.get: an unknown app says so': () => rejects(apps.get('nothing', joe), 'app_not_found'),
    'functions.list: one page': async () => assert((await listed(functions.list(joe), 'functions')).length > 0),
    'functions.list: from a cursor': async () => {
      const { _cursor } = (await functions.list(joe)) as Body
      const first = await listed(functions.list(joe), 'functions')
      assert(!first.includes((await listed(functions.list({ ...joe, _cursor }), 'functions'))[0] ?? ''))
    },
    'functions.list: all pages': async () => assert(((await functions.list(joe, true)) as unknown[]).length > 500),
    'functions.list: app, in any case': async () => {
      assert((await listed(functions.list({ ...joe, app: 'Addressbook' }), 'functions')).includes(GET))
    },
    'functions.list: type, in any case': async () => {
      const names = await listed(functions.list({ ...joe, app: 'addressbook', type: 'action' }), 'functions')
      assert(names.includes(CREATE) && !names.includes(GET))
    },
    'functions.list: connected_only and include': async () => {
      const names = await listed(functions.list({ ...joe, connected_only: true, include: 'meta' }), 'functions')
      assert(names.every((name) => name.startsWith('addressbook-')))
    },
    'functions.get': async () => assert.equal(((await functions.get(CREATE, joe)) as Body).name, CREATE),
    'functions.get: a prompt, variables and meta': async () => {
      const prompt = 'add Ada with email ada@example.com to my contacts'
      const found = (await functions.get(CREATE, { ...joe, prompt, variables: { phone: '1' }, include: 'meta' })) as Body
      assert.equal((found.arguments as Body).email, 'ada@example.com')
      assert(found.meta)
    },
    'functions.get: an unknown function says so': () => rejects(functions.get('nothing', joe), 'function_not_found'),
    'functions.predict': async () => {
      assert.deepEqual(await listed(functions.predict({ ...joe, prompt: 'list the contacts in my address book' }), 'functions'), [LIST])
    },
    'functions.predict: arguments, variables and meta': async () => {
      const prompt = 'add Ada with email ada@example.com to my contacts'
      const response = (await functions.predict({
        ...joe,
        prompt,
        predict_arguments: true,
        variables: { phone: '1' },
        include: 'meta',
      })) as Body
      const [found] = response.functions as Body[]
      assert.equal(Object(found?.arguments).email, 'ada@example.com')
    },
    'functions.predict: without a prompt says so': () => rejects(functions.predict(joe), 'prompt'),
    'functions.call': async () => assert.equal((await call(GET, { contact_id: 1 })).output.id, 1),
    'functions.call: variables': async () => assert.equal((await call(GET, { contact_id: '{id}' }, { variables: { id: 2 } })).output.id, 2),
    'functions.call: a connected account': async () => {
      const [account] = ((await apps.get('addressbook', joe)) as Body).connected_accounts as { id: number }[]
      for (const [params, options] of [
        [{ contact_id: 1 }, { connected_account_id: account?.id }],
        [{ contact_id: 1, connected_account_id: account?.id }, {}],
      ] as const) {
        assert.equal((await call(GET, params, options)).network_code, 200)
      }
    },
    'functions.call: a missing account says so': () => rejects(functions.call(GET, { ...other, params: { contact_id: 1 } }), 'login_url'),
    'functions.call: wrong arguments are named': () => rejects(call(GET, { contact_id: 'first' }), 'contact_id: must be a number'),
    "functions.call: the app's own error is a result": async () =>
      assert.equal((await call('addressbook-fail', { status: 418 })).network_code, 418),
    'functions.call: all pages, where the cursor is text': async () => assert((await walk(LIST)) >= 100),
    'functions.call: all pages, where the cursor is a number': async () => assert((await walk('addressbook-list-groups')) >= 7),
    'functions.call: all pages, where the cursor is an object': async () => assert((await walk('addressbook-export-contacts')) >= 100),
    'wrong credentials are refused': () => rejects(open('wrong').apps.get('addressbook', joe), 'unauthenticated'),
    'a user id in Latin-1': async () => assert.equal(((await apps.get('addressbook', { user_id: 'zoë' })) as Body).name, 'addressbook'),
    'a user id beyond Latin-1': async () =>
      assert.equal(((await apps.get('addressbook', { user_id: '日本' })) as Body).name, 'addressbook'),
  })
  return { rows }
}

async function listed(response: Promise<unknown>, field: string): Promise<string[]> {
  return ((await response) as Record<string, { name: string }[]>)[field]?.map(({ name }) => name) ?? []
}

/** Requires an error that contains a text. */
async function rejects(response: Promise<unknown>, text: string): Promise<void> {
  const message = await response.then(
    () => 'no error',
    (err: Error) => err.message,
  )
  assert(message.includes(text), message)
}
