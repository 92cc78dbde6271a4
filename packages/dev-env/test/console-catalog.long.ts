import { readFile } from 'node:fs/promises'
import { listImportedApps, putApp, putOAuthClient, readCallStatistics } from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import type { Page } from 'playwright-core'
import { parse } from 'yaml'
import { APP_KEY } from './both-areas.ts'
import { changeBeforePut, describeWithBrowser, expectAccessible, expectFits } from './console-page.ts'
import { openProduct, type Product, USER_ID, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const CATALOG = `w/${WORKSPACE_ID}/catalog`
const SECRET = 'sk_live_4f9c2e7b1d8a6053e2'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check()
const storage = (page: Page) => page.evaluate('JSON.stringify([localStorage, sessionStorage, history.state, location.href])')

let onward: Product

/** A list of trees: an app with OAuth and a function that does not compile. */
function oak(name: string) {
  const url = 'https://oak.example.com'
  const oauth = { type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token`, scopes: ['read', 'write'] }
  const list = { title: 'List trees', description: 'Lists trees.', type: 'QUERY', request: { method: 'GET', path: '/trees' } }
  const functions = { 'list-trees': list, 'list-all': { ...list, description: 'a'.repeat(2_000) } }
  return { name, title: 'Oak', description: 'Trees.', base_url: url, auth: [oauth], functions }
}

const importOak = (name: string) => send(onward.functionsAdmin, putApp, { params: { name }, body: { file: oak(name) } })
const importedNames = async () => (await send(onward.functionsAdmin, listImportedApps)).apps.map(({ name }) => name)

describeWithBrowser('the catalog in Chromium', () => {
  beforeAll(async () => {
    onward = await openProduct()
  })
  afterEach(() => onward.closePages())
  afterAll(() => onward.close())

  it('finds an app by its name, and leads from a function to the playground', async () => {
    const { page, problems } = await onward.open(`${CATALOG}?q=address`, 'viewer')
    await page.getByRole('link', { name: 'Address book' }).click()
    await page.getByRole('heading', { name: 'Address book', level: 1 }).waitFor()
    await page.getByRole('searchbox', { name: 'Search functions' }).fill('create')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Try addressbook-create-contact in the playground' }).click()
    await page.waitForURL('**/playground?function=addressbook-create-contact')
    await page.goto(`${onward.consoleUrl}${CATALOG}?q=nothing`)
    await page.getByText('Nothing matches these filters').waitFor()
    await page.goto(`${onward.consoleUrl}${CATALOG}/nothing`)
    await page.getByText('There is no such app').waitFor()
    expect(problems).toEqual([])
  })

  it('shows what a function takes and returns, and how programs and models call it', async () => {
    const { page, problems } = await onward.open(`${CATALOG}/addressbook`, 'viewer')
    await page.getByRole('link', { name: 'Create contact', exact: true }).click()
    await page.waitForURL('**/catalog/addressbook/addressbook-create-contact')
    await page.getByRole('heading', { name: 'Create contact', level: 1 }).waitFor()
    await page.getByRole('row', { name: /^email string yes/ }).waitFor()
    await page.getByText('-d').first().waitFor()
    await page.getByRole('radio', { name: 'Python', exact: true }).check()
    await page.getByText('onward_client', { exact: false }).first().waitFor()
    await page.getByRole('radio', { name: 'Anthropic', exact: true }).check()
    await page.getByText('input_schema').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Try it' }).click()
    await page.waitForURL('**/playground?function=addressbook-create-contact')
    // None of its arguments is required by itself.
    const plant = {
      title: 'Plant tree',
      description: 'Plants a tree.',
      type: 'ACTION',
      parameters: { properties: { kind: { type: 'string', description: 'Kind of the tree.' } } },
      request: { method: 'POST', path: '/trees', body: { kind: '{kind}' } },
    }
    const file = { ...oak('orchard'), functions: { 'plant-tree': plant } }
    await send(onward.functionsAdmin, putApp, { params: { name: 'orchard' }, body: { file } })
    await page.goto(`${onward.consoleUrl}${CATALOG}/orchard/orchard-plant-tree`)
    await page.getByRole('region', { name: 'Example program' }).getByText('kind').first().waitFor()
    await page.goto(`${onward.consoleUrl}${CATALOG}/addressbook/addressbook-nothing`)
    await page.getByText('There is no such function').waitFor()
    expect(problems).toEqual([])
  })

  it('shows how the calls of a function went in the last 7 days, and opens them', async () => {
    const name = 'addressbook-get-contact'
    for (let made = 0; made < 3; made++) await onward.call(USER_ID, name, { contact_id: '999999' }).catch(() => {})
    const query = { workspace_id: WORKSPACE_ID, function_name: name }
    await eventually(async () => expect((await send(onward.functionsAdmin, readCallStatistics, { query })).totals[0]?.failed).toBe(3))
    const { page, problems } = await onward.open(`${CATALOG}/addressbook/${name}`, 'viewer')
    const health = page.getByRole('region', { name: 'Last 7 days' })
    await health.getByText('100%', { exact: true }).waitFor()
    await health.getByText('Median duration').waitFor()
    await health.getByRole('figure', { name: 'Calls per hour' }).waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    await health.getByRole('link', { name: '3 failed calls' }).click()
    await page.waitForURL(`**/calls?*function=${name}*`)
    expect(new URL(page.url()).searchParams.get('period')).toBe('7d')
    await page.getByText('End of list: 3 rows').waitFor()
    expect(problems).toEqual([])
  })

  it('shows why a function is rejected, and stores an OAuth client whose secret is never shown', async () => {
    await importOak('oak')
    const { page, problems } = await onward.open(`${CATALOG}/oak/rejected`, 'developer')
    await page.getByText(/at most 1024/).waitFor()
    await page.getByRole('link', { name: 'Authentication' }).click()
    await page.getByText(`${onward.url}/connect/callback`).waitFor()
    await button(page, 'Add OAuth client').click()
    await page.getByLabel('Client ID').fill('client-1')
    await page.getByLabel('Client secret').fill(SECRET)
    await choose(page, 'Other scopes')
    await page.getByRole('checkbox', { name: 'write' }).uncheck()
    await page.getByPlaceholder('Add a scope').fill('trees:plant')
    await button(page, 'Add').click()
    await expectAccessible(page)
    await button(page, 'Save OAuth client').click()
    await page.getByText('OAuth client saved').waitFor()
    await page.getByText('trees:plant').waitFor()
    expect(await page.content()).not.toContain(SECRET)
    expect(await storage(page)).not.toContain(SECRET)
    await button(page, 'Edit').click()
    await page.getByLabel('Client ID').fill('client-2')
    await page.getByLabel('Client secret').fill(SECRET)
    const params = { app_key: APP_KEY, app: 'oak' }
    await changeBeforePut(page, '**/oauth-clients/oak', () =>
      send(onward.functionsAdmin, putOAuthClient, { params, body: { client_id: 'client-3', client_secret: SECRET, scopes: null } }),
    )
    await button(page, 'Save OAuth client').click()
    await page.getByText('Somebody else saved another OAuth client in the meantime: client-3, with the default scopes.').waitFor()
    await button(page, 'Save OAuth client').click()
    await page.getByText('client-2', { exact: true }).waitFor()
    await button(page, 'Delete OAuth client').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete OAuth client' }).click()
    await page.getByText('No OAuth client yet').waitFor()
    expect(problems).toEqual([])
  })

  it('says how to get a client from Slack, with what to enter there, also on a phone', async () => {
    const file = parse(await readFile('packages/catalog/apps/slack.yaml', 'utf8'))
    await send(onward.functionsAdmin, putApp, { params: { name: 'slack' }, body: { file } })
    const { page, problems } = await onward.open(`${CATALOG}/slack/sign-in`, 'viewer', {
      viewport: { width: 390, height: 844 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.getByRole('listitem').filter({ hasText: 'From scratch' }).waitFor()
    const open = page.getByRole('link', { name: 'Open the developer console of the app' })
    expect(await open.getAttribute('href')).toBe('https://api.slack.com/apps')
    await page.getByText('Slack requires a listing').waitFor()
    for (const [what, text] of [
      ['Redirect URL', `${onward.url}/connect/callback`],
      ['Scopes', 'chat:write channels:read'],
    ] as const) {
      await button(page, `Copy ${what}`).click()
      await button(page, 'Copied').waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toContain(text)
      await button(page, `Copy ${what}`).waitFor()
    }
    await expectFits(page)
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('imports a document in three steps, and stores nothing before the last one', async () => {
    const { page, problems } = await onward.open(`${CATALOG}/_import`, 'operator')
    await page.getByRole('textbox', { name: 'OpenAPI document' }).fill('{"openapi": "3.1.0"')
    await page.getByRole('textbox', { name: 'App name' }).fill('elm')
    await button(page, 'Read document').click()
    await page.getByText('The document cannot be imported', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'OpenAPI document' }).fill(JSON.stringify(ELM))
    await button(page, 'Read document').click()
    await page.getByRole('checkbox', { name: /DELETE \/leaves/ }).uncheck()
    await expectAccessible(page)
    await button(page, 'Continue').click()
    const store = button(page, 'Import 1 function')
    await store.waitFor()
    expect(await importedNames()).not.toContain('elm')
    await store.click()
    // An app also has a function that sends any request.
    await page.getByText('2 functions can be called now.').waitFor()
    expect(await importedNames()).toContain('elm')
    await page.getByRole('link', { name: 'Open the app' }).click()
    await page.getByText('elm-list-leaves').waitFor()
    expect(await page.getByText('elm-remove-leaf').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('deletes an imported app after an operator typed its name, and refuses other roles', async () => {
    await importOak('ash')
    const owner = await onward.open(`${CATALOG}/ash`, 'owner')
    const refused = button(owner.page, 'Delete app')
    await refused.focus()
    expect(await refused.getAttribute('aria-disabled')).toBe('true')
    const { page, problems } = await onward.open(`${CATALOG}/ash`, 'operator', { viewport: { width: 320, height: 640 } })
    await expectFits(page)
    await button(page, 'Delete app').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type ash to confirm').fill('ash')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Delete app' }).click()
    await page.getByText('Oak deleted').waitFor()
    await page.waitForURL(`**/${CATALOG}`)
    expect(await importedNames()).not.toContain('ash')
    expect(problems).toEqual([])
  })
})

const ELM = {
  openapi: '3.1.0',
  info: { title: 'Elm', version: '1' },
  servers: [{ url: 'https://elm.example.com' }],
  paths: {
    '/leaves': {
      get: { operationId: 'listLeaves', summary: 'List leaves', responses: { 200: { description: 'Leaves' } } },
      delete: { operationId: 'removeLeaf', summary: 'Remove a leaf', responses: { 204: { description: 'Removed' } } },
    },
  },
}
