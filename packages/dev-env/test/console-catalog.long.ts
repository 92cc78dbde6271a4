import { listImportedApps, putApp, readCalls } from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import type { Page } from 'playwright-core'
import { describeWithBrowser, expectAccessible, expectFits } from './console-page.ts'
import { openProduct, type Product, USER_ID, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const PLAYGROUND = `w/${WORKSPACE_ID}/playground`
const CATALOG = `w/${WORKSPACE_ID}/catalog`
const SECRET = 'sk_live_4f9c2e7b1d8a6053e2'

const playground = (fn: string, user = USER_ID) => `${PLAYGROUND}?${new URLSearchParams({ user, function: fn })}`
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name })
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
/** The ids of a user's calls. */
async function calledBy(userId: string): Promise<string[]> {
  return (await send(onward.functionsAdmin, readCalls, { query: { user_id: userId } })).calls.map(({ id }) => id)
}

const importedNames = async () => (await send(onward.functionsAdmin, listImportedApps)).apps.map(({ name }) => name)

describeWithBrowser('the playground and the catalog in Chromium', () => {
  beforeAll(async () => {
    onward = await openProduct()
  })
  afterEach(() => onward.closePages())
  afterAll(() => onward.close())

  describe('the playground', () => {
    it('leads a developer from a new User-ID to a connected account and a first call, which is in the log', async () => {
      const { page, problems } = await onward.open(PLAYGROUND, 'developer')
      const user = page.getByRole('combobox', { name: 'User' })
      await user.fill('newcomer@example.com')
      await user.press('Enter')
      await page.getByRole('combobox', { name: 'Function' }).fill('list contacts')
      await page.getByRole('option', { name: /^addressbook-list-contacts/ }).click()
      const opened = page.context().waitForEvent('page')
      await button(page, 'Connect Address book').click()
      const tab = await opened
      await tab.getByLabel('Server URL').fill(onward.book.url)
      await tab.getByLabel('API key').fill(onward.book.apiKey)
      await button(tab, 'Connect').click()
      await page.getByText('Connected:').first().waitFor()
      await tab.close()
      await page.getByText('counts one task of newcomer@example.com').waitFor()
      await button(page, 'Run').click()
      await page.getByText('Status 200 after').waitFor()
      await page.getByRole('tree', { name: 'Response' }).waitFor()
      const link = page.getByRole('link', { name: 'Open in Calls' })
      const id = /[?&]call=([0-9a-f-]{36})$/.exec((await link.getAttribute('href')) ?? '')?.[1]
      await eventually(async () => expect(await calledBy('newcomer@example.com')).toEqual([id]))
      expect(problems).toEqual([])
    })

    it('shows the request without sending it and without secrets, and the same call as code', async () => {
      const { page, problems } = await onward.open(playground('addressbook-list-contacts', 'previewer@example.com'), 'developer')
      await onward.connect('previewer@example.com')
      await page.reload()
      await field(page, /^Search search/).fill("Ada's")
      await field(page, /^Page size/).fill('2')
      await button(page, 'Preview request').click()
      const request = page.getByRole('region', { name: 'Request to the app' })
      await request.waitFor()
      expect(await request.textContent()).toMatch(/GET http:.*\/contacts\?search=Ada.*&page_size=2\n/)
      expect(await request.textContent()).toMatch(/x-api-key: \[redacted\]/i)
      expect(await page.content()).not.toContain(onward.book.apiKey)
      await choose(page, 'Code')
      const code = page.getByRole('region', { name: 'Code of this call' })
      expect(await code.textContent()).toContain('"page_size": 2')
      await choose(page, 'Python')
      await code.getByText('onward.for_user("previewer@example.com")').waitFor()
      expect(await code.textContent()).toContain('ONWARD_APP_SECRET')
      expect(await calledBy('previewer@example.com')).toEqual([])
      expect(problems).toEqual([])
    })

    it('ranks the functions for a prompt, and says where each argument came from', async () => {
      const { page, problems } = await onward.open(`${PLAYGROUND}?user=${USER_ID}`, 'developer')
      await choose(page, 'Prompt')
      await page.getByRole('textbox', { name: 'Prompt' }).fill('add a contact with email ada@example.com to my address book')
      await button(page, 'Predict').click()
      const best = page.getByRole('listitem').filter({ hasText: 'addressbook-create-contact' })
      await best.getByText('“ada@example.com” in the prompt').waitFor()
      expect(await page.getByRole('list', { name: 'Predicted functions' }).getByRole('listitem').count()).toBeGreaterThan(1)
      expect(await field(page, /^Email email/).inputValue()).toBe('ada@example.com')
      await page.waitForURL('**function=addressbook-create-contact**')
      await expectAccessible(page)
      expect(problems).toEqual([])
    })

    it('says what is missing before it sends anything, and what the service refuses at its field', async () => {
      const { page } = await onward.open(playground('addressbook-create-contact'), 'developer')
      await button(page, 'Run').click()
      const name = field(page, /^Name name/)
      await page.getByText('is required').first().waitFor()
      await eventually(async () => expect(await page.evaluate(`document.activeElement?.getAttribute('aria-invalid')`)).toBe('true'))
      await name.fill('Ada')
      await field(page, /^Email email/).fill('nobody')
      await button(page, 'Run').click()
      await page.getByText('The call was not made.').waitFor()
      await eventually(async () => expect(await field(page, /^Email email/).getAttribute('aria-invalid')).toBe('true'))
    })

    it('fills the form from an earlier call, marks what was removed from it, and says that it is a new call', async () => {
      const { callId } = await onward.call(USER_ID, 'addressbook-list-contacts', { search: onward.book.apiKey, page_size: 3 })
      const { page, problems } = await onward.open(`${PLAYGROUND}?call=${callId}`, 'developer')
      await page.getByText('This is a new call, and it counts one task.').waitFor()
      await page.getByText('Removed from the log because it may be secret; enter it again: search.').waitFor()
      expect(await field(page, /^Page size/).inputValue()).toBe('3')
      expect(await page.getByRole('combobox', { name: 'User' }).inputValue()).toBe(USER_ID)
      await expectAccessible(page)
      expect(problems).toEqual([])
    })

    it('keeps the form over a reload, except what may be secret', async () => {
      const { page } = await onward.open(playground('addressbook-create-contact'), 'developer')
      await field(page, /^Name name/).fill('Ada Lovelace')
      await field(page, /^Phone phone/).fill(SECRET)
      await page.reload()
      await page.getByText('Values that may be secret were not kept').waitFor()
      expect(await field(page, /^Name name/).inputValue()).toBe('Ada Lovelace')
      expect(await field(page, /^Phone phone/).inputValue()).toBe('')
      expect(await storage(page)).not.toContain(SECRET)
    })

    it('loads the choices of a field from its source function when asked', async () => {
      const { page, problems } = await onward.open(playground('addressbook-create-contact'), 'developer')
      await button(page, 'Load choices').click()
      const group = page.getByRole('combobox', { name: /^Group group/ })
      await button(page, 'Load choices').waitFor({ state: 'detached' })
      await group.click()
      await page.getByRole('option', { name: /family/i }).click()
      await choose(page, 'JSON')
      expect(JSON.parse(await page.getByRole('textbox', { name: 'Arguments as JSON' }).inputValue())).toEqual({ group: 'family' })
      expect(problems).toEqual([])
    })

    it('lets only an owner call a destructive function, and asks first', async () => {
      const path = playground('addressbook-passthrough-request')
      const developer = await onward.open(path, 'developer')
      const refused = button(developer.page, 'Run')
      await eventually(async () => expect(await refused.getAttribute('aria-disabled')).toBe('true'))
      await refused.focus()
      await developer.page.getByRole('tooltip').filter({ hasText: 'needs the role owner' }).waitFor()

      const { page, problems } = await onward.open(path, 'owner')
      await page.getByRole('combobox', { name: /^Method method/ }).selectOption('GET')
      await field(page, /^Path path|^Url url|^URL/)
        .first()
        .fill('/owner')
      await button(page, 'Run').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(/It is called for joe@example.com with the account/).waitFor()
      await expectAccessible(page)
      await dialog.getByRole('button').last().click()
      await page.getByText('Status 200 after').waitFor()
      expect(problems).toEqual([])
    })

    it('shows a viewer the form and the code, but calls nothing', async () => {
      const { page, problems } = await onward.open(playground('addressbook-list-contacts'), 'viewer')
      await field(page, /^Search search/).waitFor()
      for (const name of ['Run', 'Preview request']) expect(await button(page, name).getAttribute('aria-disabled')).toBe('true')
      await button(page, 'Run').focus()
      await page.getByRole('tooltip').filter({ hasText: 'needs the role developer' }).waitFor()
      expect(problems).toEqual([])
    })

    it('says why a function cannot be read, and reads it again on request', async () => {
      const { page } = await onward.open(PLAYGROUND, 'developer')
      const failing = '**/functions/addressbook-list-contacts/get?**'
      const body = { error: 'the service is busy', error_details: [], code: 'internal_error', request_id: 'request-of-the-test' }
      await page.route(failing, (route) => route.fulfill({ status: 500, json: body }))
      await page.goto(`${onward.consoleUrl}${playground('addressbook-list-contacts')}`)
      await page.getByText('request-of-the-test').waitFor()
      await page.unroute(failing)
      await button(page, 'Try again').click()
      await field(page, /^Search search/).waitFor()
    })

    it('works with the keyboard alone, and in a window of 320 pixels', async () => {
      const { page, problems } = await onward.open(`${PLAYGROUND}?user=${USER_ID}`, 'developer', { viewport: { width: 320, height: 640 } })
      const fn = page.getByRole('combobox', { name: 'Function' })
      await fn.focus()
      await page.keyboard.press('ArrowDown')
      await page.getByRole('option', { name: /^addressbook-get-owner/ }).waitFor()
      await expectAccessible(page)
      await page.keyboard.type('owner')
      await eventually(async () => expect(await page.getByRole('listbox').getByRole('option').count()).toBe(1))
      await page.keyboard.press('Enter')
      await button(page, 'Run').focus()
      await page.keyboard.press('Enter')
      await page.getByText('Status 200 after').waitFor()
      await expectFits(page)
      await expectAccessible(page)
      expect(problems).toEqual([])
    })
  })

  describe('the catalog', () => {
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

    it('shows why a function is rejected, and stores an OAuth client whose secret is never shown', async () => {
      await importOak('oak')
      const { page, problems } = await onward.open(`${CATALOG}/oak/rejected`, 'developer')
      await page.getByText(/at most 1024/).waitFor()
      await page.getByRole('link', { name: 'Sign-in' }).click()
      await page.getByText(`${onward.url}/connect/callback`).waitFor()
      await button(page, 'Enter a client').click()
      await page.getByLabel('Client ID').fill('client-1')
      await page.getByLabel('Client secret').fill(SECRET)
      await choose(page, 'Other scopes')
      await page.getByRole('checkbox', { name: 'write' }).uncheck()
      await page.getByPlaceholder('Add a scope').fill('trees:plant')
      await button(page, 'Add').click()
      await expectAccessible(page)
      await button(page, 'Store the client').click()
      await page.getByText('The OAuth client is stored.').waitFor()
      await page.getByText('trees:plant').waitFor()
      expect(await page.content()).not.toContain(SECRET)
      expect(await storage(page)).not.toContain(SECRET)
      await button(page, 'Delete the client').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the client' }).click()
      await page.getByText('No OAuth client is stored').waitFor()
      expect(problems).toEqual([])
    })

    it('imports a document in three steps, and stores nothing before the last one', async () => {
      const { page, problems } = await onward.open(`${CATALOG}/_import`, 'operator')
      await page.getByRole('textbox', { name: 'OpenAPI document' }).fill('{"openapi": "3.1.0"')
      await page.getByRole('textbox', { name: 'App name' }).fill('elm')
      await button(page, 'Read the document').click()
      await page.getByText('The document cannot be imported', { exact: true }).waitFor()
      await page.getByRole('textbox', { name: 'OpenAPI document' }).fill(JSON.stringify(ELM))
      await button(page, 'Read the document').click()
      await page.getByRole('checkbox', { name: /DELETE \/leaves/ }).uncheck()
      await expectAccessible(page)
      await button(page, 'Continue').click()
      const store = button(page, 'Store 1 function')
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
      const refused = button(owner.page, 'Delete this app')
      await refused.focus()
      expect(await refused.getAttribute('aria-disabled')).toBe('true')
      const { page, problems } = await onward.open(`${CATALOG}/ash`, 'operator', { viewport: { width: 320, height: 640 } })
      await expectFits(page)
      await button(page, 'Delete this app').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Type ash to confirm').fill('ash')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Delete this app' }).click()
      await page.getByText('Oak is deleted.').waitFor()
      await page.waitForURL(`**/${CATALOG}`)
      expect(await importedNames()).not.toContain('ash')
      expect(problems).toEqual([])
    })
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
