import { addMember, listApplications, listSubscriptions, renewSession, setAllLimits } from '@onward/contract'
import { insightsClient, send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import { describeWithBrowser, expectAccessible, expectFits, takeSecret } from './console-page.ts'
import { OTHER, openProduct, type Product, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const SETTINGS = `w/${WORKSPACE_ID}/settings`

describeWithBrowser('settings of a workspace in Chromium', () => {
  let onward: Product
  beforeAll(async () => {
    onward = await openProduct()
  })
  afterEach(() => onward.closePages())
  afterAll(() => onward.close())

  it('asks before changed settings are left without saving them', async () => {
    const { page, problems } = await onward.open(SETTINGS, 'owner')
    const name = page.getByRole('form', { name: 'General' }).getByLabel('Name')
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await name.fill('Acme Incorporated')
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await name.inputValue()).toBe('Acme Incorporated')
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await dialog.getByRole('button', { name: 'Discard and leave' }).click()
    await page.waitForURL(/\/calls/)
    expect(problems).toEqual([])
  })

  it('asks before a dialog is closed with text that was entered', async () => {
    const { page, problems } = await onward.open(`w/${WORKSPACE_ID}/people`, 'owner')
    await page.getByRole('button', { name: 'Invite member' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a member' })
    const email = dialog.getByLabel('E-mail address')
    await email.fill('grace@example.com')
    await page.keyboard.press('Escape')
    await dialog.getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    expect(await email.inputValue()).toBe('grace@example.com')
    await page.mouse.click(2, 2)
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Invite member' }).click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  it('renames the workspace, and creates and revokes an API key', async () => {
    const { page, problems } = await onward.open(SETTINGS, 'owner')
    await page.getByRole('form', { name: 'General' }).getByLabel('Name').fill('Acme Ltd')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Workspace: Acme Ltd' }).waitFor()
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Webhook job')
    await page.getByRole('checkbox', { name: 'webhooks' }).check()
    await page.getByLabel('Expiration').selectOption('90 days')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const apiKey = await takeSecret(page, 'API key Webhook job')
    const client = insightsClient({ url: onward.insights.url, apiKey })
    await send(client, listSubscriptions)
    await expect(send(client, setAllLimits, { body: { tasks_limit: 1 } })).rejects.toMatchObject({ code: 'scope_required' })
    const row = page.getByRole('row', { name: /Webhook job/ })
    await expectFits(page)
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('API key revoked').waitFor()
    await row.waitFor({ state: 'detached' })
    await expect(send(client, listSubscriptions)).rejects.toMatchObject({ code: 'unauthenticated' })
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('invites a member with a link, and changes and ends the membership', async () => {
    const { page, problems } = await onward.open(`w/${WORKSPACE_ID}/people`, 'owner')
    await page.getByRole('button', { name: 'Invite member' }).click()
    await page.getByLabel('E-mail address').fill('New@Example.com')
    await page.getByRole('radio', { name: 'Viewer' }).check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create link' }).click()
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

  it('refuses to demote or remove the last owner, and says what to do first', async () => {
    const params = { workspace_id: OTHER.workspaceId }
    const addOwner = (email: string) => send(onward.insightsAdmin, addMember, { params, body: { email, role: 'owner' } })
    await addOwner('last@example.com')
    const { page, problems } = await onward.open(`w/${OTHER.workspaceId}/people`, 'operator')
    const row = page.getByRole('row', { name: /last@example\.com/ })
    const dialog = page.getByRole('dialog').filter({ visible: true })
    const reason = dialog.getByText('the workspace would have no owner left; make another member an owner first')
    const act = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for last@example.com' }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await act('Change role …')
    await dialog.getByRole('radio', { name: 'Viewer' }).check()
    await dialog.getByRole('button', { name: 'Change role', exact: true }).click()
    await reason.waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await act('Remove …')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await reason.waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await row.getByText('Owner').waitFor()
    await addOwner('next@example.com')
    await act('Remove …')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  it('says to owners how single sign-on is configured', async () => {
    const { page, problems } = await onward.open(`${SETTINGS}/sso`, 'owner')
    await page.getByText('Single sign-on is not configured').waitFor()
    await page.getByText(`${onward.url}/console/oidc/callback`).waitFor()
    await page.getByText('OIDC_CLIENT_SECRET').waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    const viewer = await onward.open(`${SETTINGS}/sso`, 'viewer')
    await viewer.page.getByText('This needs the role owner.').waitFor()
    expect(await viewer.page.getByText('oidc/callback').count()).toBe(0)
    expect([...problems, ...viewer.problems]).toEqual([])
  })

  it('shows a viewer which pages and buttons need the role owner', async () => {
    const { page, problems } = await onward.open(`${SETTINGS}/audit`, 'viewer')
    await page.getByText('This needs the role owner.').waitFor()
    // The page was part of the settings before.
    await page.goto(`${onward.consoleUrl}${SETTINGS}/members`)
    await page.waitForURL(`**/w/${WORKSPACE_ID}/people`)
    expect(await page.getByRole('button', { name: 'Invite member' }).getAttribute('aria-disabled')).toBe('true')
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
    const { page, problems } = await onward.open(`w/${WORKSPACE_ID}/applications/ak/settings`, 'owner')
    const name = page.getByRole('form', { name: 'General' }).getByLabel('Name')
    await name.fill('Shop 2')
    await name.press('Enter')
    const read = () => send(onward.functionsAdmin, listApplications, { query: { workspace_id: WORKSPACE_ID } })
    await eventually(async () => expect((await read()).applications).toContainEqual(expect.objectContaining({ name: 'Shop 2' })))
    await page.goto(`${onward.consoleUrl}${SETTINGS}/audit`)
    await page.getByRole('cell', { name: 'Functions' }).first().waitFor()
    await page.getByRole('cell', { name: 'Insights' }).first().waitFor()
    await page.getByRole('search', { name: 'Filters' }).getByRole('button', { name: 'Service' }).click()
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
