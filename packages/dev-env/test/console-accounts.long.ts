import { connectAccount, putApplication } from '@onward/contract'
import { send } from '@onward/contract-client'
import { APP_KEY } from './both-areas.ts'
import { describeWithBrowser, expectAccessible, expectFits } from './console-page.ts'
import { openProduct, type Product, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const LOGO = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E'

let onward: Product

/** Connects an account whose key the app does not accept, and makes a call that shows this. */
async function connectBroken(userId: string): Promise<void> {
  const credentials = { url: onward.book.url, api_key: 'not-the-key' }
  const body = { user_id: userId, app: 'addressbook', display_name: `Book of ${userId}`, credentials }
  await send(onward.functionsAdmin, connectAccount, { params: { app_key: APP_KEY }, body })
  await onward.call(userId, 'addressbook-get-owner')
}

beforeAll(async () => {
  onward = await openProduct()
  await connectBroken('broken@example.com')
})
afterEach(() => onward.closePages())
afterAll(() => onward.close())

describeWithBrowser('the page of accounts in Chromium', () => {
  const list = `w/${WORKSPACE_ID}/accounts`
  const broken = `${list}?user=broken%40example.com&status=expired`

  it('says why an account is broken, whose turn it is, and a viewer what only developers may do', async () => {
    const { page, problems } = await onward.open(list, 'viewer')
    await page.getByRole('search').getByRole('button', { name: 'State' }).click()
    await page.getByRole('button', { name: 'Expired' }).click()
    await page.getByRole('link', { name: 'Address book Book of broken@example.com' }).click()
    const panel = page.getByRole('complementary', { name: 'Address book · Book of broken@example.com' })
    await page.getByRole('columnheader', { name: 'User' }).waitFor()
    await page.locator('tbody').getByText('broken@example.com', { exact: true }).waitFor()
    await panel.getByText('The credentials did not work when they were last used').waitFor()
    await panel.getByText(/Address book answered 401/).waitFor()
    await panel.getByRole('link', { name: 'addressbook-get-owner' }).waitFor()
    expect(new URL(page.url()).search).toMatch(/^\?status=expired&account=\d+$/)
    for (const name of ['Test', 'Create link', 'Disconnect …']) {
      expect(await panel.getByRole('button', { name, exact: true }).getAttribute('aria-disabled')).toBe('true')
    }
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    expect(problems).toEqual([])
  })

  it('tests an account and makes a link for the user, with the keyboard only', async () => {
    const { page, problems } = await onward.open(broken, 'developer')
    await page.getByRole('link', { name: 'Book of broken@example.com' }).press('Enter')
    const panel = page.getByRole('complementary', { name: 'Book of broken@example.com' })
    await panel.getByRole('button', { name: 'Test', exact: true }).press('Enter')
    await panel.getByText('The credentials do not work.').waitFor()
    await panel.getByRole('button', { name: 'Create link' }).press('Enter')
    const link = (await panel.getByText(`${onward.url}/connect/accounts/`).textContent()) ?? ''
    await panel.getByRole('button', { name: 'Copy Reconnect link' }).waitFor()
    await expectAccessible(page)
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, history.state, location.href])')).not.toContain(
      link.slice(-20),
    )
    await page.goto(link)
    await page.getByRole('heading', { name: /Address book/ }).waitFor()
    expect(problems).toEqual([])
  })

  it('connects an account of a new user with a link', async () => {
    const { page, problems } = await onward.open(`w/${WORKSPACE_ID}/accounts?app_key=${APP_KEY}`, 'developer')
    await page.getByRole('button', { name: 'Connect an account' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Connect an account' })
    await dialog.getByRole('option', { name: 'Address book' }).waitFor({ state: 'attached' })
    const make = dialog.getByRole('button', { name: 'Create link' })
    expect(await make.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByRole('textbox', { name: 'User' }).fill('new@example.com')
    await dialog.getByRole('combobox', { name: 'App', exact: true }).selectOption('Address book')
    await expectAccessible(page)
    await make.press('Enter')
    const link = (await dialog.getByText(`${onward.url}/connect/accounts/`).textContent()) ?? ''
    const user = await page.context().browser()?.newPage()
    if (user === undefined) throw new Error('the browser is closed')
    await user.goto(link)
    await user.getByLabel('Server URL').fill(onward.book.url)
    await user.getByLabel('API key', { exact: true }).fill(onward.book.apiKey)
    await user.getByRole('button', { name: 'Connect' }).click()
    await user.getByText('You connected').waitFor()
    await user.close()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row').filter({ hasText: 'new@example.com' }).first().waitFor()
    expect(problems).toEqual([])
  })

  it('says that nobody can confirm the account of a link, if the application must but has no redirect', async () => {
    await send(onward.functionsAdmin, putApplication, {
      params: { app_key: 'confirming' },
      body: { workspace_id: WORKSPACE_ID, name: 'Confirming' },
    })
    const { page, problems } = await onward.open(`w/${WORKSPACE_ID}/accounts?app_key=confirming`, 'developer')
    const dialog = page.getByRole('dialog', { name: 'Connect an account' })
    const makeLink = async () => {
      await page.getByRole('button', { name: 'Connect an account' }).first().press('Enter')
      await dialog.getByRole('option', { name: 'Address book' }).waitFor({ state: 'attached' })
      await dialog.getByRole('textbox', { name: 'User' }).fill('new@example.com')
      await dialog.getByRole('button', { name: 'Create link' }).press('Enter')
      await dialog.getByText(`${onward.url}/connect/accounts/`).waitFor()
    }
    await makeLink()
    await dialog.getByText('has no allowed redirect').waitFor()
    await expectAccessible(page)
    await send(onward.functionsAdmin, putApplication, {
      params: { app_key: 'confirming' },
      body: { workspace_id: WORKSPACE_ID, name: 'Confirming', allowed_redirects: ['https://app.example.com/connected'] },
    })
    await page.reload()
    await makeLink()
    expect(await dialog.getByText('has no allowed redirect').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('makes an account the default one, and disconnects it after a question', async () => {
    await onward.connect('two@example.com')
    await onward.connect('two@example.com')
    const { page, problems } = await onward.open(`${list}?user=two%40example.com`, 'developer')
    const rows = page.locator('tbody tr[aria-rowindex]')
    await rows.first().getByRole('link').click()
    const panel = page.getByRole('complementary', { name: 'Address book' })
    await panel.getByRole('button', { name: 'Make default' }).click()
    await page.getByText('Default account changed').waitFor()
    await panel.getByRole('button', { name: 'Disconnect …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Disconnect this account?' })
    await dialog.getByText('the default account for this app').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.getByText('End of list: 1 row').waitFor()
    expect(problems).toEqual([])
  })

  it('lists the accounts that calls use by default, with the logos of their apps', async () => {
    await onward.connect('three@example.com')
    await onward.connect('three@example.com')
    const { page, problems } = await onward.open(`${list}?user=three%40example.com`, 'developer')
    await page.route('**/admin/app-icons', (route) => route.fulfill({ json: { icons: { addressbook: LOGO } } }))
    await page.reload()
    const rows = page.locator('tbody tr[aria-rowindex]')
    await rows.nth(1).locator(`img[src="${LOGO}"]`).waitFor()
    await page.getByRole('button', { name: 'Default' }).click()
    await page.getByText('End of list: 1 row').waitFor()
    expect(new URL(page.url()).search).toBe('?user=three%40example.com&is_default=1')
    await expectAccessible(page)
    await rows.first().getByRole('link').click()
    const panel = page.getByRole('complementary', { name: 'Address book' })
    expect(await panel.getByRole('button', { name: 'Make default' }).getAttribute('aria-disabled')).toBe('true')
    expect(problems).toEqual([])
  })

  it('says that nothing matches, and shows an account of a link that is gone', async () => {
    const { page } = await onward.open(`${list}?app=nothing&account=999999`, 'viewer')
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByText('there is no such connected account').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await page.getByRole('link', { name: 'Book of broken@example.com' }).waitFor()
  })
})
