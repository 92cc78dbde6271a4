import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpToken, getMcpSignIn, listApplicationMcpTokens, putApplication } from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import { APP_KEY } from './both-areas.ts'
import { describeWithBrowser, expectAccessible, expectFits } from './console-page.ts'
import { openProduct, type Product, USER_ID, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

let onward: Product

const list = `w/${WORKSPACE_ID}/agents?app_key=${APP_KEY}`
const rows = 'tbody tr[aria-rowindex]'

const createToken = (userId: string, body: object) => send(onward.clientOf(userId), createMcpToken, { body: { mode: 'search', ...body } })
const tokensOf = async (userId: string) =>
  (await send(onward.functionsAdmin, listApplicationMcpTokens, { params: { app_key: APP_KEY }, query: { user_id: userId } })).tokens

/** Calls a function as a program with this token. */
async function callAs(token: string, name: string): Promise<void> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const client = new Client({ name: 'program', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${onward.url}/mcp`), { requestInit }))
  await client.callTool({ name: 'call_function', arguments: { name, arguments: {} } })
  await client.close()
}

beforeAll(async () => {
  onward = await openProduct()
  const { token } = await createToken(USER_ID, { name: 'Laptop of Joe' })
  for (const name of ['addressbook-list-contacts', 'addressbook-get-owner']) await callAs(token, name)
  await onward.call(USER_ID, 'addressbook-list-groups')
  await createToken('ann@example.com', {
    name: 'Editor of Ann',
    apps: ['addressbook'],
    functions: ['addressbook-get-contact', 'addressbook-list-contacts'],
  })
})
afterEach(() => onward.closePages())
afterAll(() => onward.close())

describeWithBrowser('the page of agents in Chromium', () => {
  it('lists what programs may do, by user, and shows a viewer what only developers may do', async () => {
    const { page, problems } = await onward.open(list, 'viewer')
    await page.getByRole('link', { name: 'Editor of Ann' }).waitFor()
    expect(await page.locator(rows).count()).toBe(2)
    await page.getByRole('search').getByRole('button', { name: 'User' }).click()
    await page.getByPlaceholder('joe@example.com').fill('ann@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('End of list: 1 row').waitFor()
    expect(new URL(page.url()).searchParams.get('user')).toBe('ann@example.com')
    await page.getByText('Address book, 2 functions').waitFor()
    await page.getByRole('link', { name: 'Editor of Ann' }).press('Enter')
    const panel = page.getByRole('complementary', { name: 'Editor of Ann' })
    await panel.getByText('addressbook-get-contact, addressbook-list-contacts').waitFor()
    for (const name of ['Restrict …', 'Revoke …']) {
      expect(await panel.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
    }
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    expect(problems).toEqual([])
  })

  it('shows what a program costs and its newest calls, and opens them', async () => {
    const { page, problems } = await onward.open(list, 'viewer')
    await page.getByRole('link', { name: 'Laptop of Joe' }).click()
    const panel = page.getByRole('complementary', { name: 'Laptop of Joe' })
    const figure = (name: string) => panel.getByText(name, { exact: true }).locator('xpath=..')
    await figure('Tasks').getByText('2', { exact: true }).waitFor()
    const calls = panel.getByRole('table', { name: 'Newest calls' })
    await calls.getByRole('link', { name: 'addressbook-get-owner' }).waitFor()
    await eventually(async () => expect(await calls.getByRole('row').count()).toBe(3))
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 720 })
    await panel.getByRole('link', { name: 'All calls of this agent' }).click()
    await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor()
    await page.getByText('End of list: 2 rows').waitFor()
    expect(problems).toEqual([])
  })

  it('shows for each program what a user enters to add it', async () => {
    const { page, problems } = await onward.open(list, 'viewer')
    await page.getByRole('button', { name: 'Add agent' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add an agent' })
    const url = `${onward.url}/mcp/${APP_KEY}`
    await dialog.getByText(`claude mcp add --transport http onward ${url}`).waitFor()
    await expectAccessible(page)
    const shown: (string | null)[] = []
    for (const name of ['claude.ai, Claude Desktop', 'ChatGPT', 'VS Code', 'Cursor']) {
      await dialog.getByLabel('Agent').selectOption(name)
      shown.push(await dialog.getByRole('region', { name, exact: true }).textContent())
    }
    expect(shown.slice(0, 2)).toEqual([url, url])
    expect(JSON.parse(shown[2] ?? '')).toEqual({ servers: { onward: { type: 'http', url } } })
    expect(JSON.parse(shown[3] ?? '')).toEqual({ mcpServers: { onward: { url } } })
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    expect(problems).toEqual([])
  })

  it('narrows the access of a program to apps and to reading, with the keyboard only', async () => {
    const { page, problems } = await onward.open(list, 'developer')
    await page.getByRole('link', { name: 'Laptop of Joe' }).press('Enter')
    const panel = page.getByRole('complementary', { name: 'Laptop of Joe' })
    await panel.getByRole('button', { name: 'Restrict …' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Restrict the access of Laptop of Joe' })
    const save = dialog.getByRole('button', { name: 'Restrict', exact: true })
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByRole('radio', { name: 'All' }).first().press('ArrowRight')
    const book = dialog.getByRole('checkbox', { name: 'Address book', exact: true })
    await book.press('Space')
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await book.press('Space')
    await dialog.getByRole('radio', { name: 'All' }).last().press('ArrowRight')
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByText('Functions of Address book').press('Enter')
    await dialog.getByRole('checkbox', { name: 'addressbook-get-contact' }).press('Space')
    await dialog.getByRole('checkbox', { name: /Read only/ }).press('Space')
    await expectAccessible(page)
    await save.press('Enter')
    await page.getByText('Access restricted').waitFor()
    await panel.getByText('Read only').waitFor()
    expect(await tokensOf(USER_ID)).toMatchObject([{ apps: ['addressbook'], functions: ['addressbook-get-contact'], read_only: true }])
    expect(problems).toEqual([])
  })

  it('takes a function away, and revokes the access after a question', async () => {
    const { page, problems } = await onward.open(list, 'developer')
    await page.getByRole('link', { name: 'Editor of Ann' }).click()
    const panel = page.getByRole('complementary', { name: 'Editor of Ann' })
    await panel.getByRole('button', { name: 'Restrict …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'addressbook-list-contacts' }).uncheck()
    await dialog.getByRole('button', { name: 'Restrict', exact: true }).click()
    await page.getByText('Access restricted').waitFor()
    await panel.getByText('addressbook-get-contact', { exact: true }).waitFor()
    expect(await tokensOf('ann@example.com')).toMatchObject([
      { apps: ['addressbook'], functions: ['addressbook-get-contact'], read_only: false },
    ])
    await panel.getByRole('button', { name: 'Revoke …' }).click()
    await page.getByText('Editor of Ann can no longer act for ann@example.com.').waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Agent not found').waitFor()
    expect(await tokensOf('ann@example.com')).toEqual([])
    expect(problems).toEqual([])
  })

  it('is reached from the page of a user', async () => {
    const { page, problems } = await onward.open(`w/${WORKSPACE_ID}/users/${APP_KEY}/${encodeURIComponent(USER_ID)}`, 'viewer')
    await page.getByRole('link', { name: 'Agents of this user' }).click()
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Laptop of Joe' }).waitFor()
    expect(problems).toEqual([])
  })
})

describeWithBrowser('the sign-in settings of an application in Chromium', () => {
  const settings = `w/${WORKSPACE_ID}/applications/${APP_KEY}/settings`
  const stored = async () => await send(onward.functionsAdmin, getMcpSignIn, { params: { app_key: APP_KEY } })

  it('set the page and the provider, and keep the secret that is left empty', async () => {
    const { page, problems } = await onward.open(settings, 'owner')
    const form = page.getByRole('form', { name: 'Sign-in for agents' })
    await page.getByText(`${onward.url}/mcp/${APP_KEY}`).waitFor()
    await form.getByLabel('Sign-in page of your application').fill('https://shop.example/agents')
    await form.getByRole('switch', { name: /OpenID provider/ }).check()
    await form.getByLabel('Issuer').fill('https://login.shop.example')
    await form.getByLabel('Client id').fill('onward')
    await form.getByLabel('Client secret').fill('s3cret-of-onward')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText('Settings saved').waitFor()
    const openid = { issuer: 'https://login.shop.example', client_id: 'onward', claim: 'sub' }
    expect(await stored()).toMatchObject({ hand_off_url: 'https://shop.example/agents', openid })

    await form.getByText('A secret is stored.').waitFor()
    expect(await form.getByLabel('Client secret').inputValue()).toBe('')
    await form.getByLabel('Claim with the User-ID').fill('email')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
    expect(await stored()).toMatchObject({ openid: { ...openid, claim: 'email' } })

    await form.getByRole('switch', { name: /OpenID provider/ }).uncheck()
    await form.getByLabel('Sign-in page of your application').fill('')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
    expect(await stored()).toMatchObject({ hand_off_url: null, openid: null })
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    expect(problems).toEqual([])
  })

  it('show a wrong address at its field, and are for owners', async () => {
    const { page, problems } = await onward.open(settings, 'owner')
    const form = page.getByRole('form', { name: 'Sign-in for agents' })
    await form.getByLabel('Sign-in page of your application').fill('ftp://shop.example/')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.locator('[aria-invalid]').waitFor()
    const developer = await onward.open(settings, 'developer')
    const readOnly = developer.page.getByRole('form', { name: 'Sign-in for agents' })
    expect(await readOnly.getByLabel('Sign-in page of your application').isDisabled()).toBe(true)
    expect([...problems, ...developer.problems]).toEqual([])
  })

  it('begins a form with the application that was opened last, and with none before', async () => {
    const body = { workspace_id: WORKSPACE_ID, name: 'Attic' }
    await send(onward.functionsAdmin, putApplication, { params: { app_key: 'ak-attic' }, body })
    const { page, problems } = await onward.open(`w/${WORKSPACE_ID}/agents?open=add`, 'developer')
    const dialog = page.getByRole('dialog', { name: 'Add an agent' })
    const field = page.getByRole('combobox', { name: 'Application', exact: true })
    await dialog.getByText('Choose an application').waitFor({ state: 'attached' })
    expect(await dialog.getByText(`${onward.url}/mcp/`).count()).toBe(0)
    await expectAccessible(page)
    await dialog.getByLabel('Application').selectOption('Shop')
    await dialog.getByText(`${onward.url}/mcp/${APP_KEY}`).waitFor()
    const opened = (path: string) => page.goto(`${onward.consoleUrl}w/${WORKSPACE_ID}/${path}`)
    await opened('catalog/addressbook/addressbook-get-contact')
    await page.getByText('App-Key: your-app-key').waitFor()
    await opened(`applications/${APP_KEY}`)
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor()
    await opened('catalog/addressbook/addressbook-get-contact')
    await page.getByText(`App-Key: ${APP_KEY}`).waitFor()
    expect(await field.inputValue()).toBe(APP_KEY)
    await opened('calls?app_key=ak-attic')
    await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor()
    await opened('playground')
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor()
    expect(await field.inputValue()).toBe('ak-attic')
    await opened('accounts?open=connect')
    const connect = page.getByRole('dialog', { name: 'Connect an account' })
    await connect.getByLabel('Application').waitFor()
    expect(await connect.getByLabel('Application').inputValue()).toBe('ak-attic')
    await opened('agents?open=add')
    await dialog.getByText(`${onward.url}/mcp/ak-attic`).waitFor()
    expect(problems).toEqual([])
  })
})
