import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { connectAccount, type PolicyRule, putApp, putPolicy } from '@onward/contract'
import { send } from '@onward/contract-client'
import { APP_KEY } from './both-areas.ts'
import { describeWithBrowser, expectAccessible, expectFits } from './console-page.ts'
import { openProduct, type Product, USER_ID, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const APPROVALS = `w/${WORKSPACE_ID}/approvals`
const PICTURES = join(process.cwd(), '.onward/pictures')
const CREATE = 'addressbook-create-contact'
const MOVE = 'people-move-person'
const ASK: PolicyRule = { functions: [CREATE], result: 'ask', message: 'New contacts cost money.' }

describeWithBrowser('the approvals in Chromium', () => {
  let onward: Product
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true })
    onward = await openProduct()
    await putRules(ASK)
  })
  afterEach(() => onward.closePages())
  afterAll(() => onward.close())

  const putRules = (...rules: PolicyRule[]) => send(onward.functionsAdmin, putPolicy, { params: { app_key: APP_KEY }, body: { rules } })
  const create = (name: string) => onward.call(USER_ID, CREATE, { name, email: 'ada@example.com' })
  const ask = (name: string) => expect(create(name)).rejects.toMatchObject({ code: 'approval_required' })

  it('shows the request of a call that waits, and approves it, so that it runs once', async () => {
    await ask('Ada')
    const { page, problems } = await onward.open(APPROVALS, 'developer')
    await page.getByRole('link', { name: CREATE }).press('Enter')
    const panel = page.getByRole('complementary', { name: CREATE })
    await panel.getByText('Ada', { exact: true }).waitFor()
    await page.getByRole('row').getByText('ada@example.com · Ada').waitFor()
    await panel.getByText('Show the request').click()
    const request = panel.getByRole('region', { name: 'Method, headers and body' })
    await request.getByText(/"name": "Ada"/).waitFor()
    expect(await request.textContent()).toMatch(/^POST http.*\/contacts/)
    expect(await request.textContent()).not.toContain(onward.book.apiKey)
    await panel.getByText('New contacts cost money.').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await expectAccessible(page, colorScheme)
      await page.screenshot({ path: join(PICTURES, `approvals-open-${colorScheme}.png`) })
    }
    const entry = page.getByRole('link', { name: 'Approvals 1 pending' })
    await entry.waitFor()
    await panel.getByRole('button', { name: 'Approve' }).press('Enter')
    await page.getByText('Call approved.').waitFor()
    await panel.getByText('by a member of the workspace').waitFor()
    await entry.waitFor({ state: 'detached' })
    await create('Ada')
    // The row changes in its place.
    await page.getByRole('row').filter({ hasText: 'Executed' }).waitFor()
    await panel.getByRole('link', { name: 'Open the call' }).click()
    await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor()
    await ask('Ada')
    expect(problems).toEqual([])
  })

  it('shows a call that asks while the page is open, and refuses it with a reason that the program gets', async () => {
    const { page, problems } = await onward.open(`${APPROVALS}?user=joe%40example.com&function=${CREATE}`, 'owner')
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor()
    const rows = page.getByRole('link', { name: CREATE })
    await rows.first().waitFor()
    const before = await rows.count()
    await ask('Grace')
    await rows.nth(before).waitFor()
    await rows.first().click()
    const panel = page.getByRole('complementary', { name: CREATE })
    await panel.getByText('Grace', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Refuse' }).click()
    await panel.getByRole('textbox', { name: /^Reason for refusing/ }).fill('Grace is a contact already.')
    await expectAccessible(page)
    await panel.getByRole('button', { name: 'Refuse the call' }).click()
    await page.getByText('Call refused').waitFor()
    await expect(create('Grace')).rejects.toMatchObject({ code: 'approval_refused', message: 'Grace is a contact already.' })
    await page.goto(`${onward.consoleUrl}${APPROVALS}?state=refused`)
    await page.getByText('End of list: 1 row').waitFor()
    // A link leads to an approval that the filters leave out.
    await page.getByRole('link', { name: CREATE }).click()
    const { searchParams } = new URL(page.url())
    await page.goto(`${onward.consoleUrl}${APPROVALS}?state=used&approval=${searchParams.get('approval')}`)
    await page.getByText('Grace is a contact already.').waitFor()
    await page.goto(`${onward.consoleUrl}${APPROVALS}?approval=none`)
    await page.getByText('There is no such approval').waitFor()
    expect(problems).toEqual([])
  })

  it('shows what a call would change, and the names of its ids, to developers and owners', async () => {
    await importPeople()
    await putRules(ASK, { apps: ['people'], types: ['ACTION'], result: 'ask' })
    await expect(onward.call(USER_ID, MOVE, { contact_id: 1, group: 'friends' })).rejects.toMatchObject({ code: 'approval_required' })
    const { page, problems } = await onward.open(APPROVALS, 'developer')
    await page.getByRole('link', { name: MOVE }).click()
    const panel = page.getByRole('complementary', { name: MOVE })
    await panel.getByRole('heading', { name: 'Now' }).waitFor()
    await panel.getByText('What “Get person” returns for this account now.').waitFor()
    await panel.getByText('created_at').waitFor()
    await panel.getByText(/^friends \(/).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await expectAccessible(page, colorScheme)
      await page.screenshot({ path: join(PICTURES, `approvals-now-${colorScheme}.png`) })
    }
    await page.setViewportSize({ width: 390, height: 800 })
    await expectFits(page)
    await page.screenshot({ path: join(PICTURES, 'approvals-now-phone.png'), fullPage: true })
    await page.getByRole('button', { name: 'Approve' }).press('Enter')
    await page.getByText('Call approved.').waitFor()
    await page.getByRole('heading', { name: 'Now' }).waitFor({ state: 'detached' })

    await expect(onward.call(USER_ID, MOVE, { contact_id: 2, group: 'none' })).rejects.toMatchObject({ code: 'approval_required' })
    const viewer = await onward.open(APPROVALS, 'viewer')
    await viewer.page.getByRole('link', { name: MOVE }).click()
    await viewer.page.getByRole('button', { name: 'Approve' }).waitFor()
    expect(await viewer.page.getByRole('heading', { name: 'Now' }).count()).toBe(0)
    expect([...problems, ...viewer.problems]).toEqual([])
  })

  /** Imports an app that moves contacts of the address book, and connects an account of it. */
  async function importPeople(): Promise<void> {
    const id = { contact_id: { type: 'number', description: 'Id of the contact.' } }
    const file = {
      name: 'people',
      title: 'People',
      description: 'Moves contacts of the address book.',
      base_url: '{account.url}',
      auth: { type: 'api_key', in: 'header', name: 'X-API-Key' },
      account_settings: { url: { title: 'Server URL', description: 'Where the address book runs.' } },
      functions: {
        'get-person': {
          title: 'Get person',
          description: 'Reads a contact.',
          type: 'QUERY',
          parameters: { properties: id, required: ['contact_id'] },
          request: { method: 'GET', path: '/contacts/{contact_id}' },
        },
        'list-groups': {
          title: 'List groups',
          description: 'Lists groups.',
          type: 'QUERY',
          request: { method: 'GET', path: '/groups' },
          response: { output: '/groups' },
          paging: { style: 'page', parameter: 'page', total_pages: '/total_pages' },
        },
        'move-person': {
          title: 'Move person',
          description: 'Moves a contact to another group.',
          type: 'ACTION',
          parameters: {
            properties: { ...id, group: { type: 'string', title: 'Group', description: 'Id of the group.' } },
            required: ['contact_id', 'group'],
          },
          sources: { group: { function: 'list-groups', value: '/id', label: '/name' } },
          request: { method: 'POST', path: '/contacts/{contact_id}/group', body: { group: '{group}' } },
        },
      },
    }
    await send(onward.functionsAdmin, putApp, { params: { name: 'people' }, body: { file } })
    const credentials = { url: onward.book.url, api_key: onward.book.apiKey }
    await send(onward.functionsAdmin, connectAccount, {
      params: { app_key: APP_KEY },
      body: { user_id: USER_ID, app: 'people', credentials },
    })
  }

  it('lets viewers read, and says that destructive functions need an owner', async () => {
    await ask('Linus')
    const { page, problems } = await onward.open(APPROVALS, 'viewer')
    await page.getByRole('link', { name: CREATE }).first().click()
    for (const name of ['Approve', 'Refuse']) {
      expect(await page.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
    }
    await page.setViewportSize({ width: 320, height: 640 })
    await expectAccessible(page)
    await expectFits(page)
    await page.screenshot({ path: join(PICTURES, 'approvals-phone.png') })

    const developer = await onward.open(APPROVALS, 'developer')
    await developer.page.route('**/admin/catalog/addressbook*', async (route) => {
      const response = await route.fetch()
      const app = await response.json()
      const functions = app.functions.map((each: object) => ({ ...each, destructive: true }))
      await route.fulfill({ response, json: { ...app, functions } })
    })
    await developer.page.getByRole('link', { name: CREATE }).first().click()
    await developer.page.getByText('Destructive', { exact: true }).waitFor()
    const approve = developer.page.getByRole('button', { name: 'Approve' })
    await approve.focus()
    await developer.page.getByRole('tooltip', { name: 'Only owners can approve a destructive function.' }).waitFor()
    expect(await developer.page.getByRole('button', { name: 'Refuse' }).getAttribute('aria-disabled')).toBeNull()
    expect([...problems, ...developer.problems]).toEqual([])
  })
})
