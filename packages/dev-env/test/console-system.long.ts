import type { Page } from 'playwright-core'
import { describeWithBrowser, expectAccessible, takeSecret } from './console-page.ts'
import { OTHER, openProduct, type Product } from './console-product.ts'

jest.setTimeout(180_000)

const FAILED = { status: 503, json: { error: 'the database does not answer', error_details: [], code: 'unavailable', request_id: 'r-77' } }
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describeWithBrowser('the pages of the system in Chromium', () => {
  let onward: Product
  beforeAll(async () => {
    onward = await openProduct()
  })
  afterEach(() => onward.closePages())
  afterAll(() => onward.close())

  it('shows operators the parts of both services, and compares and repairs', async () => {
    const { page, problems } = await onward.open('system', 'operator')
    await page.getByText('All components are up.').waitFor()
    await page.getByRole('region', { name: 'Insights' }).getByText('Overdue webhooks').waitFor()
    await page.getByRole('group').filter({ hasText: 'Task events' }).locator('summary').click()
    await page.getByRole('table', { name: 'Task events' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Repair' }).click()
    await button(page, 'Compare').click()
    await page.getByText('There are no tasks in this period.').waitFor()
    await button(page, 'Compare only').click()
    await page.getByText('All counts match the task events.').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Maintenance' }).click()
    await button(page, 'Re-encrypt secrets').click()
    await page.getByText('All secrets already use the first key.').waitFor()
    await button(page, 'Run retention').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run retention' }).click()
    await page.getByText('No changes needed').waitFor()
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('keeps the menu of a workspace, and leads from the list of workspaces to all of them and to a new one', async () => {
    const { page, problems } = await onward.open(`w/${OTHER.workspaceId}`, 'operator')
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await menu.getByRole('link', { name: 'System' }).click()
    await page.getByText('All components are up.').waitFor()
    await button(page, 'Workspaces').click()
    await page.getByRole('link', { name: 'All workspaces' }).click()
    await page.getByRole('table', { name: 'Workspaces' }).waitFor()
    await button(page, 'Workspaces').click()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Create a workspace' }).click()
    await page.getByRole('dialog', { name: 'Create workspace' }).waitFor()
    await page.keyboard.press('Escape')
    await menu.getByRole('link', { name: 'Users' }).click()
    await page.waitForURL(`**/w/${OTHER.workspaceId}/users`)
    expect(problems).toEqual([])
  })

  it('lets an operator create a workspace, whose first key is shown once, and delete it', async () => {
    const { page, problems } = await onward.open('system/workspaces', 'operator')
    const table = page.getByRole('table', { name: 'Workspaces' })
    await table.getByRole('link', { name: 'Globex' }).waitFor()
    await button(page, 'Create workspace').click()
    const dialog = page.getByRole('dialog', { name: 'Create workspace' })
    await dialog.getByLabel('Name').fill('Initech')
    await dialog.locator('input[value="initech"]').waitFor()
    await dialog.getByLabel('Workspace ID').fill(OTHER.workspaceId)
    await dialog.getByRole('alert').getByText('This ID is already in use.').waitFor()
    await dialog.getByLabel('Workspace ID').fill('initech')
    await dialog.getByRole('button', { name: 'Create workspace' }).click()
    const key = await takeSecret(page, 'First API key of Initech')
    const listed = await fetch(`${onward.url}/partners/api/insights/subscriptions/`, { headers: { 'api-key': key } })
    expect(listed.status).toBe(200)
    await button(page, 'Workspaces').click()
    await page
      .getByRole('link', { name: /^Initech/ })
      .nth(0)
      .waitFor()
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    await page
      .getByRole('row', { name: /Initech/ })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page.getByLabel('Type initech').fill('initech')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await table.getByRole('link', { name: 'Initech' }).waitFor({ state: 'hidden' })
    expect(problems).toEqual([])
  })

  it('shows one service while the other does not answer', async () => {
    const { page } = await onward.open('', 'operator')
    await page.getByRole('link', { name: 'System' }).waitFor()
    await page.route('**/functions/admin/system', (route) => route.fulfill(FAILED))
    await page.goto(`${onward.consoleUrl}system`)
    await page.getByRole('region', { name: 'Functions' }).getByText('r-77').waitFor()
    await page.getByRole('region', { name: 'Insights' }).getByText('Overdue webhooks').waitFor()
    await page.getByText('A service does not respond').waitFor()
    await expectAccessible(page)
    // While the service fails: the page also asks every 10 s, and the button is gone after a response.
    await Promise.all([page.waitForRequest('**/functions/admin/system'), button(page, 'Try again').click()])
    await page.unroute('**/functions/admin/system')
    await page.getByText('All components are up.').waitFor()
  })

  it('sends hours again that insights lacks', async () => {
    const hour = new Date(Math.floor(Date.now() / 3_600_000 - 5) * 3_600_000).toISOString()
    const { page, problems } = await onward.open('system/repair', 'operator')
    await page.route('**/admin/reconcile', (route) => {
      const body = route.request().postDataJSON() as { since: string; until: string; dry_run: boolean; hours: string[] } | null
      if (body === null) return route.fulfill({ json: { run: null } })
      const again = body.hours.includes(hour)
      const found = { hour, functions: 3, insights: again ? 3 : 2, same: again, sent_again: again }
      const { since, until, dry_run } = body
      const run = { id: hour, state: 'done', error: null, started_at: until, since, until, dry_run, parts: 2, parts_done: 2 }
      return route.fulfill({ json: { ...run, open_calls: 2, tasks_sent: again ? 3 : 0, hours: [found] } })
    })
    await button(page, 'Compare').click()
    await page.getByText('2 calls of the period are still in progress').waitFor()
    await expectAccessible(page)
    await page.getByRole('row').getByRole('button', { name: 'Send again' }).first().click()
    await page.getByText('3 tasks sent again.').waitFor()
    await page.getByText('No differences').waitFor()
    expect(problems).toEqual([])
  })

  it('shows why tasks are in quarantine, and removes them after asking', async () => {
    const entry = (id: number) => ({
      id,
      created_at: new Date().toISOString(),
      app_key: 'ak',
      reason: `the event ${id} is not valid`,
      job_id: `job-${id}`,
      event: '{"app_key":"ak"}',
    })
    let entries = [entry(2), entry(1)]
    const { page, problems } = await onward.open('system', 'operator')
    await page.route('**/admin/quarantine?*', (route) => route.fulfill({ json: { quarantined: entries, _cursor: null } }))
    await page.route('**/admin/quarantine/*', (route) => {
      entries = entries.slice(1)
      return route.fulfill({ json: { success: true } })
    })
    await page.getByRole('navigation', { name: 'System' }).getByRole('link', { name: 'Quarantine' }).click()
    await page.getByRole('link', { name: 'the event 2 is not valid' }).click()
    await expectAccessible(page)
    await button(page, 'Remove').click()
    await page.getByText('1 task of a user').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('1 entry removed.').waitFor()
    await page.getByRole('link', { name: 'the event 2 is not valid' }).waitFor({ state: 'detached' })
    await page.unroute('**/admin/quarantine?*')
    await button(page, 'Count all again').click()
    await page.getByText('0 counted now, 0 counted before, 0 still refused.').waitFor()
    expect(problems).toEqual([])
  })
})
