import { callFunction, connectAccount, listApplications, listInsightsApplications, putApplication } from '@onward/contract'
import { functionsClient, send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import type { Page } from 'playwright-core'
import { changeBeforePut, describeWithBrowser, expectAccessible, expectFits, takeSecret } from './console-page.ts'
import { openProduct, type Product, USER_ID, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const APPLICATIONS = `w/${WORKSPACE_ID}/applications`
const IN_WORKSPACE = { query: { workspace_id: WORKSPACE_ID } }
/** Requests that change the application ak in functions. */
const PUT_AK = '**/console/api/functions/admin/applications/ak'

describeWithBrowser('applications in Chromium', () => {
  let onward: Product
  beforeAll(async () => {
    onward = await openProduct()
    await onward.call(USER_ID, 'addressbook-list-contacts', { page_size: 2 })
  })
  afterEach(() => onward.closePages())
  afterAll(() => onward.close())

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true })
  const inFunctions = async (appKey: string) =>
    (await send(onward.functionsAdmin, listApplications, IN_WORKSPACE)).applications.find(({ app_key }) => app_key === appKey)
  const inInsights = async (appKey: string) =>
    (await send(onward.insightsAdmin, listInsightsApplications, IN_WORKSPACE)).applications.find(({ app_key }) => app_key === appKey)
  const clientOf = (appKey: string, appSecret: string) =>
    functionsClient({ url: onward.functions[0]?.url ?? '', appKey, appSecret, userId: 'ada' })
  const call = (appKey: string, appSecret: string) =>
    send(clientOf(appKey, appSecret), callFunction, { params: { function_name: 'addressbook-list-contacts' }, body: { page_size: 1 } })

  async function createApplication(page: Page, name: string, appKey: string): Promise<string> {
    await page.goto(`${onward.consoleUrl}${APPLICATIONS}`)
    await page.getByRole('button', { name: 'Create application' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('textbox', { name: 'App-Key' }).fill(appKey)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const secret = await takeSecret(page, `App secret of ${name}`)
    await heading(page, name).waitFor()
    return secret
  }

  /** Presses Tab until the focus is on the button with this text. */
  async function tabTo(page: Page, text: string): Promise<void> {
    for (let press = 0; press < 60; press++) {
      if ((await page.evaluate('document.activeElement?.textContent')) === text) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach ${text}`)
  }

  it('creates an application by keyboard, whose secret works, and shows the next steps', async () => {
    const { page, problems } = await onward.open(APPLICATIONS, 'developer')
    await heading(page, 'Applications').waitFor()
    await tabTo(page, 'Create application')
    await page.keyboard.press('Enter')
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('Café & Co')
    const appKey = page.getByRole('textbox', { name: 'App-Key' })
    await eventually(async () => expect(await appKey.inputValue()).toMatch(/^cafe-co-[a-z2-9]{4}$/))
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('ak')
    await page.getByText('This App-Key is already in use.').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('cafe')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'App secret of Café & Co' }).waitFor()
    await expectAccessible(page)
    const secret = await takeSecret(page, 'App secret of Café & Co')
    await page.waitForURL(`${onward.consoleUrl}${APPLICATIONS}/cafe`)
    await page.getByRole('heading', { name: 'Next steps' }).waitFor()
    await expectAccessible(page)
    await expect(call('cafe', secret)).rejects.toMatchObject({ code: 'account_not_connected' })
    expect(await inInsights('cafe')).toMatchObject({ limit_period: 30, on_limit: 'allow' })
    expect(problems).toEqual([])
  })

  it('rotates the secret with an overlap, and ends it early', async () => {
    const { page, problems } = await onward.open(APPLICATIONS, 'owner')
    const first = await createApplication(page, 'Rotated', 'rotated')
    const { url, apiKey } = onward.book
    const credentials = { url, api_key: apiKey }
    await send(onward.functionsAdmin, connectAccount, {
      params: { app_key: 'rotated' },
      body: { user_id: 'ada', app: 'addressbook', credentials },
    })
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('radio', { name: '2 days' }).check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    const second = await takeSecret(page, 'New app secret of Rotated')
    expect(second).not.toBe(first)
    await call('rotated', first)
    await call('rotated', second)
    await page.getByText('Two valid secrets').waitFor()
    for (const secret of [first, second]) await page.getByText(`onw_sk_…${secret.slice(-4)}`).waitFor()
    await page.getByRole('button', { name: 'End now' }).click()
    await page.getByRole('dialog', { name: 'End the previous secret' }).getByRole('button', { name: 'End now' }).click()
    await page.getByText('The previous secret is no longer valid.').waitFor()
    await page.getByText('Two valid secrets').waitFor({ state: 'detached' })
    await expect(call('rotated', first)).rejects.toMatchObject({ code: 'unauthenticated' })
    await call('rotated', second)
    expect(problems).toEqual([])
  })

  it('shows programs with the App-Key and without the secret', async () => {
    const { page, problems } = await onward.open(`${APPLICATIONS}/ak/snippets`, 'viewer')
    const code = page.getByRole('region', { name: 'Code' })
    await code.getByText('/functions/list?app=addressbook').waitFor()
    await page.getByLabel('Function', { exact: true }).selectOption('addressbook-list-contacts')
    await code.getByText('addressbook-').first().waitFor()
    await page.getByLabel('User-ID').fill("o'neil")
    await page.getByLabel('Arguments').fill('{"page_size": 2}')
    for (const language of ['curl', 'TypeScript', 'Python']) {
      await page.getByRole('radio', { name: language }).check()
      await eventually(async () => expect(await code.textContent()).toContain('page_size'))
      expect(await code.textContent()).toContain('ONWARD_APP_SECRET')
      expect(await code.textContent()).toContain('neil')
      expect(await code.textContent()).not.toContain(onward.appSecret)
    }
    await page.getByLabel('Arguments').fill('[1]')
    await page.getByText('Must be a JSON object.').waitFor()
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('stores settings in both services, and shows at the field what a service refuses', async () => {
    const { page, problems } = await onward.open(`${APPLICATIONS}/ak/settings`, 'owner')
    const limits = page.getByRole('form', { name: 'Task limits' })
    await limits.getByLabel('Period in days').fill('7')
    await limits.getByRole('radio', { name: 'Block calls' }).check()
    await limits.getByText('429 task_limit_reached').waitFor()
    await limits.getByRole('button', { name: 'Save changes' }).click()
    await eventually(async () => expect(await inInsights('ak')).toMatchObject({ limit_period: 7, on_limit: 'block' }))
    const connecting = page.getByRole('form', { name: 'Origins and redirects' })
    await connecting.getByLabel('Allowed origins').fill('https://app.example.com\nhttps://app.example.com/path')
    await connecting.getByRole('button', { name: 'Save changes' }).click()
    await connecting.getByText('Line 2: must be an origin').waitFor()
    await expectAccessible(page)
    await connecting.getByLabel('Allowed origins').fill('https://app.example.com\n')
    await connecting.getByRole('switch', { name: 'Confirm new accounts' }).check()
    await connecting.getByRole('button', { name: 'Save changes' }).click()
    await eventually(async () =>
      expect(await inFunctions('ak')).toMatchObject({ allowed_origins: ['https://app.example.com'], confirm_accounts: true, name: 'Shop' }),
    )
    expect(problems).toEqual([])
  })

  it('shows both values when somebody else has saved another one, and keeps the one that the person chooses', async () => {
    const params = { app_key: 'ak' }
    const rename = (name: string) => send(onward.functionsAdmin, putApplication, { params, body: { workspace_id: WORKSPACE_ID, name } })
    const { page, problems } = await onward.open(`${APPLICATIONS}/ak/settings`, 'owner')
    const general = page.getByRole('form', { name: 'General' })
    const name = general.getByLabel('Name')
    const save = general.getByRole('button', { name: 'Save changes' })
    await name.fill('Mine')
    await changeBeforePut(page, PUT_AK, () => rename('Theirs'))
    await save.click()
    await general.getByText('Somebody else saved different values while you were editing').waitFor()
    await general.getByRole('definition').filter({ hasText: 'Theirs' }).waitFor()
    expect((await inFunctions('ak'))?.name).toBe('Theirs')
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    await general.getByRole('button', { name: 'Take the saved values' }).click()
    await eventually(async () => expect(await name.inputValue()).toBe('Theirs'))
    await name.fill('Mine')
    await changeBeforePut(page, PUT_AK, () => rename('Shop'))
    await save.click()
    await general.getByRole('button', { name: 'Keep mine' }).click()
    await save.click()
    await eventually(async () => expect((await inFunctions('ak'))?.name).toBe('Mine'))
    await general.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
    await name.fill('Shop')
    await save.click()
    await eventually(async () => expect((await inFunctions('ak'))?.name).toBe('Shop'))
    // Another form of the page sends the name too, which somebody else changes.
    await page.reload()
    await name.waitFor()
    const learning = page.getByRole('form', { name: 'Predictions' })
    await learning.getByRole('switch').first().click()
    await changeBeforePut(page, PUT_AK, () => rename('Shop 2'))
    await learning.getByRole('button', { name: 'Save changes' }).click()
    await learning.getByText('Somebody else saved different values in the meantime.').waitFor()
    await learning.getByRole('button', { name: 'Save changes' }).click()
    await eventually(async () => expect(await inFunctions('ak')).toMatchObject({ name: 'Shop 2', learn_from_use: false }))
    await rename('Shop')
    expect(problems).toEqual([])
  })

  it('stores the brand of the pages for users, and shows a preview that can be read', async () => {
    const { page, problems } = await onward.open(`${APPLICATIONS}/cafe/settings`, 'developer')
    const form = page.getByRole('form', { name: 'Pages for your users' })
    await form.getByLabel('Display name').fill('Café')
    await form.getByLabel('Accent colour').fill('#ffe1')
    await form.getByRole('button', { name: 'Save changes' }).click()
    await form.getByText('Enter # and six hexadecimal digits, such as #3b5bdb.').waitFor()
    await form.getByLabel('Pick a colour').fill('#ffe100')
    expect(await form.getByLabel('Accent colour').inputValue()).toBe('#ffe100')
    const file = form.locator('input[type=file]')
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"/>'
    const logo = (content: string, mimeType = 'image/svg+xml') =>
      file.setInputFiles({ name: 'logo', mimeType, buffer: Buffer.from(content) })
    await logo('x', 'image/bmp')
    await form.getByText('Choose a PNG, JPEG, GIF, WebP or SVG file.').waitFor()
    await logo(svg.padEnd(24_001))
    await form.getByText('The file has 24,001 bytes. Choose one of at most 24,000 bytes.').waitFor()
    await logo(svg.padEnd(24_000))
    await eventually(async () => expect(await form.getByLabel('Logo').inputValue()).toMatch(/^Image file, /))
    await form.getByRole('button', { name: 'Remove' }).press('Enter')
    expect(await form.getByLabel('Logo').inputValue()).toBe('')
    const figure = page.getByRole('figure')
    await form.getByLabel('Logo').fill('https://cdn.example.com/logo.svg')
    await figure.getByText('Your users see the logo in place of the letter.').waitFor()
    expect(await figure.getByText('C', { exact: true }).count()).toBe(2)
    expect(await figure.getByText('This lets Café:').count()).toBe(2)
    expect(await figure.getByRole('listitem').getByText('Send messages').count()).toBe(2)
    await logo(svg)
    await page.getByText('Connect Slack to Café').first().waitFor()
    expect(await page.getByText('Continue with Slack').count()).toBe(2)
    await expectAccessible(page)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 800 })
      const preview = page.getByRole('figure')
      await preview.scrollIntoViewIfNeeded()
      const [shown, saving] = [await preview.boundingBox(), await form.getByRole('button', { name: 'Save changes' }).boundingBox()]
      if (shown === null || saving === null) throw new Error('the preview or the button is not shown')
      expect(saving.y + saving.height <= shown.y || saving.x + saving.width <= shown.x).toBe(true)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await form.getByLabel('Theme').selectOption('dark')
    await form.getByLabel('URL to raise the limit').fill('http://cafe.example/plan')
    await form.getByRole('button', { name: 'Save changes' }).click()
    await form.getByText('Enter an https URL.').waitFor()
    await form.getByLabel('URL to raise the limit').fill('https://cafe.example/plan')
    expect(await page.getByText('Continue with Slack').count()).toBe(1)
    await form.getByRole('button', { name: 'Save changes' }).click()
    await eventually(async () =>
      expect((await inFunctions('cafe'))?.connect_pages).toMatchObject({
        name: 'Café',
        accent: '#ffe100',
        logo: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
        theme: 'dark',
        limit_url: 'https://cafe.example/plan',
      }),
    )
    await expectAccessible(page, 'dark')
    await expectFits(page)
    expect(problems).toEqual([])
  })

  it('stores the origins that may embed pages, and shows the code for them', async () => {
    const { page, problems } = await onward.open(`${APPLICATIONS}/ak/settings`, 'owner')
    const form = page.getByRole('form', { name: 'Embedding' })
    await form.getByLabel('Embedding origins').fill('https://app.example.com\nhttps://app.example.com/path')
    await form.getByRole('button', { name: 'Save changes' }).click()
    await form.getByText(/^Line 2: .*such as https:\/\/app\.example\.com/).waitFor()
    await form.getByLabel('Embedding origins').fill('https://app.example.com\n')
    await form.getByRole('button', { name: 'Save changes' }).click()
    await eventually(async () => expect(await inInsights('ak')).toMatchObject({ embed_origins: ['https://app.example.com'] }))
    const code = page.getByRole('region', { name: 'Code to embed' })
    await code.getByText(`const ONWARD_URL = '${onward.url}'`).waitFor()
    await code.getByText("const APP_KEY = 'ak'").waitFor()
    await page.getByRole('radio', { name: 'Browser' }).check()
    await code.getByText("addEventListener('message'").waitFor()
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('opens a preview of the embedded page in a new tab, and ends it with all other sessions', async () => {
    const { page, problems } = await onward.open(`${APPLICATIONS}/ak/settings`, 'developer')
    const preview = page.getByRole('form', { name: 'Preview' })
    await preview.getByLabel('User-ID').fill('x'.repeat(2_000))
    const open = preview.getByRole('button', { name: 'Open a preview' })
    const [refused] = await Promise.all([page.waitForEvent('popup'), open.click()])
    await preview.getByText(/at most 1024 characters/).waitFor()
    await eventually(() => expect(refused.isClosed()).toBe(true))
    await preview.getByLabel('User-ID').fill(USER_ID)
    const [tab] = await Promise.all([page.waitForEvent('popup'), open.click()])
    await tab.getByRole('heading', { name: 'Connected accounts', level: 2 }).waitFor()
    await tab.getByText('Address book', { exact: true }).first().waitFor()
    expect(tab.url()).toMatch(new RegExp(`^${onward.url}/embed/[0-9a-f-]{36}$`))
    expect(await tab.evaluate('window.opener')).toBeNull()
    await page.getByRole('button', { name: 'End all sessions' }).click()
    const dialog = page.getByRole('dialog', { name: 'End all sessions' })
    await dialog.getByText('Embedded pages of all users of ak').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'End sessions' }).click()
    await page.getByText('1 session ended').waitFor()
    await tab.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await tab.getByRole('heading', { name: 'This page has expired' }).waitFor()
    expect(problems).toEqual([])
  })

  it('offers a link to the preview when the browser blocks the new tab', async () => {
    const { page, problems } = await onward.open(`${APPLICATIONS}/ak/settings`, 'developer')
    await page.evaluate('window.open = () => null')
    const preview = page.getByRole('form', { name: 'Preview' })
    await preview.getByLabel('User-ID').fill(USER_ID)
    await preview.getByRole('button', { name: 'Open a preview' }).click()
    const [tab] = await Promise.all([page.waitForEvent('popup'), preview.getByRole('link', { name: /^Open the preview/ }).click()])
    await tab.getByRole('heading', { name: 'Connected accounts', level: 2 }).waitFor()
    await preview.getByText('The browser blocked the new tab').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  it('shows a viewer the settings, and says which role changes them', async () => {
    const { page, problems } = await onward.open(`${APPLICATIONS}/ak/settings`, 'viewer')
    const general = page.getByRole('form', { name: 'General' })
    await general.waitFor()
    expect(await general.getByLabel('Name').isDisabled()).toBe(true)
    await page.getByText('This needs the role developer.').first().waitFor()
    await page.getByRole('form', { name: 'Origins and redirects' }).getByText('This needs the role owner.').waitFor()
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Danger zone' }).click()
    await eventually(async () => expect((await page.getByRole('heading', { name: 'Danger zone' }).boundingBox())?.y).toBeLessThan(720))
    const button = page.getByRole('button', { name: 'Delete application' })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await button.focus()
    await page.getByRole('tooltip', { name: 'This needs the role owner.' }).waitFor()
    for (const name of ['Open a preview', 'End all sessions']) {
      expect(await page.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
    }
    expect(problems).toEqual([])
  })

  it('deletes an application in both services only after its App-Key is typed, and says in numbers what is lost', async () => {
    const { page, problems } = await onward.open(APPLICATIONS, 'owner')
    await createApplication(page, 'Doomed', 'doomed')
    await page.getByRole('link', { name: 'Settings' }).last().click()
    await page.getByRole('button', { name: 'Delete application' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete application' })
    await dialog.getByText('0 connected accounts').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Delete application' }).press('Enter')
    expect(await inFunctions('doomed')).toBeDefined()
    await dialog.getByLabel('Type doomed to confirm').fill('doomed')
    await dialog.getByRole('button', { name: 'Delete application' }).click()
    await heading(page, 'Applications').waitFor()
    await page.getByRole('link', { name: 'Shop' }).waitFor()
    expect(await page.getByRole('link', { name: 'Doomed' }).count()).toBe(0)
    expect([await inFunctions('doomed'), await inInsights('doomed')]).toEqual([undefined, undefined])
    expect(problems).toEqual([])
  })

  it('finds applications by name, shows the calls of each, and says what failed', async () => {
    const { page, problems } = await onward.open(`${APPLICATIONS}?q=sho`, 'viewer')
    await page.getByRole('link', { name: 'Shop' }).waitFor()
    const calls = page.getByRole('link', { name: /calls? in 24 hours/ })
    await eventually(async () => expect(await calls.first().textContent()).toMatch(/[1-9]/))
    expect(await calls.first().getAttribute('href')).toContain('calls?app_key=ak')
    await page.getByRole('searchbox').fill('nothing like this')
    await page.getByText('Nothing matches these filters').waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    for (const path of [APPLICATIONS, `${APPLICATIONS}/ak`, `${APPLICATIONS}/ak/snippets`, `${APPLICATIONS}/ak/settings`]) {
      await page.goto(`${onward.consoleUrl}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      await expectFits(page)
    }
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.route('**/console/api/insights/admin/applications?*', (route) =>
      route.fulfill({
        status: 400,
        json: { error: 'broken for a test', error_details: [], code: 'invalid_parameters', request_id: 'r-1' },
      }),
    )
    await page.goto(`${onward.consoleUrl}${APPLICATIONS}`)
    await page.getByText('broken for a test').waitFor()
    await page.getByText('r-1').waitFor()
    await page.unroute('**/console/api/insights/admin/applications?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Shop' }).waitFor()
    expect(problems).toEqual([])
  })
})
