import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { APP_KEY } from './both-areas.ts'
import { describeWithBrowser, expectAccessible, expectFits } from './console-page.ts'
import { OTHER, openProduct, type Product, USER_ID, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(600_000)

const PAGES = [
  [`w/${WORKSPACE_ID}`, 'Overview'],
  [`w/${WORKSPACE_ID}/applications`, 'Applications'],
  [`w/${WORKSPACE_ID}/catalog`, 'Catalog'],
  [`w/${WORKSPACE_ID}/playground`, 'Playground'],
  [`w/${WORKSPACE_ID}/calls`, 'Calls'],
  [`w/${WORKSPACE_ID}/users`, 'Users'],
  [`w/${WORKSPACE_ID}/accounts`, 'Accounts'],
  [`w/${WORKSPACE_ID}/rules`, 'Rules'],
  [`w/${WORKSPACE_ID}/approvals`, 'Approvals'],
  [`w/${WORKSPACE_ID}/agents`, 'Agents'],
  [`w/${WORKSPACE_ID}/webhooks`, 'Webhooks'],
  ['system', 'System'],
  [`w/${WORKSPACE_ID}/people`, 'People'],
  [`w/${WORKSPACE_ID}/settings`, 'Settings'],
] as const

/** Pictures of each page, for people to look at. */
const PICTURES = join(process.cwd(), '.onward/pictures')

describeWithBrowser('each page of the console in Chromium', () => {
  let onward: Product
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true })
    onward = await openProduct()
    for (let i = 0; i < 3; i++) await onward.call(USER_ID, 'addressbook-list-contacts', { page_size: 2 })
    await onward.counted(USER_ID, 3)
  })
  afterEach(() => onward.closePages())
  afterAll(() => onward.close())

  it('keeps its policy, is accessible in both themes, and fits a window of 320 pixels', async () => {
    const { page, problems } = await onward.open('', 'operator')
    await page.waitForURL(`**/console/w/${OTHER.workspaceId}`)
    for (const [path, title] of PAGES) {
      await page.goto(`${onward.consoleUrl}${path}`)
      await page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      expect(await page.title()).toBe(`${title} · Onward`)
      expect(await page.locator('h1').count()).toBe(1)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width: 1280, height: 800 })
        await expectAccessible(page, colorScheme)
        await page.screenshot({ path: join(PICTURES, `${title.toLowerCase()}-${colorScheme}.png`) })
        await expectFits(page)
        await page.setViewportSize({ width: 320, height: 640 })
        await page.screenshot({ path: join(PICTURES, `${title.toLowerCase()}-${colorScheme}-phone.png`) })
        await expectFits(page)
      }
    }
    await page.getByRole('button', { name: 'Open the menu' }).press('Enter')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Overview' }).press('Enter')
    await page.getByRole('heading', { name: 'Overview', level: 1, exact: true }).waitFor()
    expect(problems).toEqual([])
  })

  it('names the document after the page, and says of a tab that does not exist that there is no such page', async () => {
    const { page } = await onward.open(`w/${WORKSPACE_ID}/catalog/addressbook`, 'operator')
    await page.getByRole('heading', { name: 'Address book', level: 1, exact: true }).waitFor()
    expect(await page.title()).toBe('Address book · Onward')
    for (const path of ['catalog/addressbook/x', 'settings/x', 'users/x', 'webhooks/x/y', `applications/${APP_KEY}/x`]) {
      await page.goto(`${onward.consoleUrl}w/${WORKSPACE_ID}/${path}`)
      await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
      expect(await page.title()).toBe('Page not found · Onward')
    }
  })

  it('shows a viewer only what belongs to the own workspace, and no page of operators', async () => {
    const { page, problems } = await onward.open(`w/${WORKSPACE_ID}`, 'viewer')
    await page.getByRole('heading', { name: 'Overview', level: 1, exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'System' }).count()).toBe(0)
    expect(await page.getByText('Globex').count()).toBe(0)
    await page.goto(`${onward.consoleUrl}w/${OTHER.workspaceId}/calls`)
    await page.getByRole('heading', { name: 'Workspace not found', level: 1 }).waitFor()
    expect(problems).toEqual([])
  })
})
