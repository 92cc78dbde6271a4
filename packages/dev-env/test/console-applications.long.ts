import { callFunction, connectAccount, listApplications, listInsightsApplications, listSubscriptions, renewSession } from '@onward/contract'
import { functionsClient, insightsClient, send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import type { Page } from 'playwright-core'
import { describeWithBrowser, expectAccessible, expectFits } from './console-page.ts'
import { openProduct, type Product, USER_ID, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const APPLICATIONS = `w/${WORKSPACE_ID}/applications`
const SETTINGS = `w/${WORKSPACE_ID}/settings`
const IN_WORKSPACE = { query: { workspace_id: WORKSPACE_ID } }

describeWithBrowser('applications and settings in Chromium', () => {
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

  /** Reads a secret that is shown once, checks that the page keeps it nowhere, and closes the dialog. */
  async function takeSecret(page: Page, title: string): Promise<string> {
    const dialog = page.getByRole('dialog', { name: title })
    const code = dialog.locator('code').first()
    expect(await code.textContent()).toContain('•')
    await dialog.getByRole('button', { name: 'Show secret' }).click()
    const secret = (await code.textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.getByText('Close without copying?').waitFor()
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    await dialog.getByRole('checkbox', { name: 'I have stored it' }).check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const kept = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, history.state, location.href]) + document.body.innerHTML',
    )
    expect(kept).not.toContain(secret)
    return secret
  }

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
    await page.keyboard.type('Café & Co')
    expect(await page.getByRole('textbox', { name: 'App-Key' }).inputValue()).toMatch(/^cafe-co-[a-z2-9]{4}$/)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('ak')
    await page.getByText('This workspace has an application with this App-Key.').waitFor()
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
    const { page, problems } = await onward.open(APPLICATIONS, 'developer')
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
    await page.getByText('Two secrets valid').waitFor()
    await page.getByRole('button', { name: 'End now' }).click()
    await page.getByRole('dialog', { name: 'End the previous secret' }).getByRole('button', { name: 'End now' }).click()
    await page.getByText('The previous secret is no longer valid.').waitFor()
    await page.getByText('Two secrets valid').waitFor({ state: 'detached' })
    await expect(call('rotated', first)).rejects.toMatchObject({ code: 'unauthenticated' })
    await call('rotated', second)
    expect(problems).toEqual([])
  })

  it('shows programs with the App-Key and without the secret', async () => {
    const { page, problems } = await onward.open(`${APPLICATIONS}/ak/snippets`, 'viewer')
    const code = page.getByRole('region', { name: 'Code' })
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
    const { page, problems } = await onward.open(`${APPLICATIONS}/ak/settings`, 'developer')
    const limits = page.getByRole('form', { name: 'Task limits' })
    await limits.getByLabel('Limit period in days').fill('7')
    await limits.getByRole('radio', { name: 'Block calls' }).check()
    await limits.getByText('429 task_limit_reached').waitFor()
    await limits.getByRole('button', { name: 'Save changes' }).click()
    await eventually(async () => expect(await inInsights('ak')).toMatchObject({ limit_period: 7, on_limit: 'block' }))
    const connecting = page.getByRole('form', { name: 'Pages and redirects' })
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

  it('shows a viewer the settings, and says which role changes them', async () => {
    const { page, problems } = await onward.open(`${APPLICATIONS}/ak/settings`, 'viewer')
    const general = page.getByRole('form', { name: 'General' })
    await general.waitFor()
    expect(await general.getByLabel('Name').isDisabled()).toBe(true)
    const button = page.getByRole('button', { name: 'Delete application' })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await button.focus()
    await page.getByText('This needs the role owner.').waitFor()
    await page.goto(`${onward.consoleUrl}${SETTINGS}/audit`)
    await page.getByText('This needs the role owner.').waitFor()
    await page.goto(`${onward.consoleUrl}${SETTINGS}/members`)
    expect(await page.getByRole('button', { name: 'Invite member' }).getAttribute('aria-disabled')).toBe('true')
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

  it('completes an application whose creation was interrupted', async () => {
    const { page, problems } = await onward.open(APPLICATIONS, 'developer')
    await page.route('**/console/api/functions/admin/applications/half', (route) => route.abort())
    await page.getByRole('button', { name: 'Create application' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Half')
    await page.getByRole('textbox', { name: 'App-Key' }).fill('half')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Onward could not be reached.').waitFor()
    await page.unroute('**/console/api/functions/admin/applications/half')
    await page.goto(`${onward.consoleUrl}${APPLICATIONS}/half`)
    await page.getByText('This application was not created completely').waitFor()
    await page.getByRole('button', { name: 'Finish creating' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Whole')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await takeSecret(page, 'App secret of Whole')
    await heading(page, 'Whole').waitFor()
    expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([])
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

  it('renames the workspace and rotates its API key', async () => {
    const { page, problems } = await onward.open(SETTINGS, 'owner')
    await page.getByRole('form', { name: 'General' }).getByLabel('Name').fill('Acme Ltd')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Workspace: Acme Ltd' }).waitFor()
    await page.getByRole('button', { name: 'Rotate API key' }).click()
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    const apiKey = await takeSecret(page, 'New partner API key')
    const list = (key: string) => send(insightsClient({ url: onward.insights.url, apiKey: key }), listSubscriptions)
    await list(apiKey)
    await list(onward.partnerApiKey)
    await page.getByRole('button', { name: 'End now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click()
    await page.getByText('Only the current API key is valid now.').waitFor()
    await expect(list(onward.partnerApiKey)).rejects.toMatchObject({ code: 'unauthenticated' })
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('invites a member with a link, and changes and ends the membership', async () => {
    const { page, problems } = await onward.open(`${SETTINGS}/members`, 'owner')
    await page.getByRole('button', { name: 'Invite member' }).click()
    await page.getByLabel('E-mail address').fill('New@Example.com')
    await page.getByRole('radio', { name: 'Viewer' }).check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Make the link' }).click()
    const link = await takeSecret(page, 'Sign-in link for new@example.com')
    expect(link).toMatch(/\/console\/sign-in#code=[\w-]{43}$/)
    const row = page.getByRole('row', { name: /new@example\.com/ })
    await row.getByText('Invited').waitFor()
    const act = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for new@example.com' }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await act('Change role …')
    await page.getByRole('radio', { name: 'Developer' }).check()
    await page.getByRole('button', { name: 'Change role', exact: true }).click()
    await row.getByText('Developer').waitFor()
    await act('Remove …')
    await page.getByRole('dialog', { name: 'Remove a member' }).getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  it('creates a token that works until it is revoked', async () => {
    const { page, problems } = await onward.open(`${SETTINGS}/sessions`, 'developer')
    await page.getByText('This session').waitFor()
    await page.getByText('No tokens yet').waitFor()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Pipeline')
    expect(await page.getByLabel('Role').locator('option').allTextContents()).toEqual(['Viewer', 'Developer'])
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const token = await takeSecret(page, 'Token Pipeline')
    const renew = () =>
      fetch(`${onward.url}/console/api/insights${renewSession.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      })
    expect((await renew()).status).toBe(200)
    await page
      .getByRole('row', { name: /Pipeline/ })
      .getByRole('button', { name: 'Revoke' })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No tokens yet').waitFor()
    expect((await renew()).status).toBe(401)
    expect(problems).toEqual([])
  })

  it('shows the changes of both services in one list, with what each replaced', async () => {
    const { page, problems } = await onward.open(`${APPLICATIONS}/ak/settings`, 'owner')
    const name = page.getByRole('form', { name: 'General' }).getByLabel('Name')
    await name.fill('Shop 2')
    await name.press('Enter')
    await eventually(async () => expect(await inFunctions('ak')).toMatchObject({ name: 'Shop 2' }))
    await page.goto(`${onward.consoleUrl}${SETTINGS}/audit`)
    await page.getByRole('cell', { name: 'Functions' }).first().waitFor()
    await page.getByRole('cell', { name: 'Insights' }).first().waitFor()
    await page.getByRole('button', { name: 'Service' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Functions' }).click()
    await page.getByRole('cell', { name: 'Insights' }).first().waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Changed an application' }).first().click()
    const panel = page.getByRole('complementary', { name: 'Changed an application' })
    await panel.getByRole('listitem').filter({ hasText: 'name: "Shop 2"' }).waitFor()
    await panel.getByRole('listitem').filter({ hasText: 'name: "Shop"' }).waitFor()
    await expectAccessible(page)
    const address = page.url()
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.goto(address.replace('service=functions', 'service=insights'))
    await page.getByRole('listitem').filter({ hasText: 'name: "Shop 2"' }).waitFor()
    expect(problems).toEqual([])
  })
})
