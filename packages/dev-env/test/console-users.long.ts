import {
  connectAccount,
  createSubscription,
  getUserTasks,
  listOwnAccounts,
  putApplication,
  putInsightsApplication,
  putSuspension,
  setDefaultLimit,
  setUserLimits,
} from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import type { Page } from 'playwright-core'
import { APP_KEY } from './both-areas.ts'
import { describeWithBrowser, expectAccessible, expectFits } from './console-page.ts'
import { openProduct, type Product, WORKSPACE_ID } from './console-product.ts'
import { inDatabase } from './in-database.ts'

jest.setTimeout(180_000)

const MANY_KEY = 'ak-many'
const MANY = 100_000

let onward: Product

const setLimit = (user_id: string, allowed_tasks: number) =>
  send(onward.partner, setUserLimits, { query: { app_key: APP_KEY }, body: [{ user_id, allowed_tasks }] })

/** Makes calls of a user with a limit, and waits until they are counted. */
async function use(userId: string, limit: number, calls: number): Promise<void> {
  await setLimit(userId, limit)
  await onward.connect(userId)
  for (let made = 0; made < calls; made++) await onward.call(userId, 'addressbook-get-owner')
  await onward.counted(userId, calls)
}

/** Connects an account whose key the app does not accept, and makes a call that shows this. */
async function connectBroken(userId: string): Promise<void> {
  const credentials = { url: onward.book.url, api_key: 'not-the-key' }
  const body = { user_id: userId, app: 'addressbook', display_name: `Book of ${userId}`, credentials }
  await send(onward.functionsAdmin, connectAccount, { params: { app_key: APP_KEY }, body })
  await onward.call(userId, 'addressbook-get-owner')
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true })

beforeAll(async () => {
  onward = await openProduct()
  await send(onward.partner, setDefaultLimit, { body: { tasks_limit: 1000 } })
  const subscription = { events: ['user_tasks_limit_80', 'user_tasks_limit_100'], callback_url: onward.receiver.url }
  await send(onward.partner, createSubscription, { body: subscription })
  await Promise.all([
    use('near@example.com', 5, 4),
    use('over@example.com', 3, 3),
    use('beyond@example.com', 2, 3),
    connectBroken('broken@example.com'),
  ])
})
afterEach(() => onward.closePages())
afterAll(() => onward.close())

describeWithBrowser('the page of users in Chromium', () => {
  const list = `w/${WORKSPACE_ID}/users`

  it('lists users with their usage, filters them on the server, and opens one', async () => {
    const { page, problems } = await onward.open(list, 'viewer')
    await page.getByRole('link', { name: 'near@example.com' }).waitFor()
    const users = async () => (await page.locator('tbody [data-row]').allTextContents()).map((text) => text.split('@')[0])
    expect((await users()).slice(0, 3)).toEqual(['beyond', 'over', 'near'])
    await page
      .getByRole('row', { name: /beyond@example.com/ })
      .getByText('Over the limit')
      .waitFor()
    await page
      .getByRole('row', { name: /over@example.com/ })
      .getByText('At the limit')
      .waitFor()
    await expectAccessible(page)
    await page.getByRole('search').getByRole('button', { name: 'Order' }).click()
    await page.getByRole('button', { name: 'By user ID' }).click()
    await eventually(async () => expect(await users()).toEqual((await users()).toSorted()))
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('search').getByRole('button', { name: 'State' }).click()
    await page.getByRole('button', { name: 'At or over the limit' }).click()
    await page.getByRole('link', { name: 'near@example.com' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'over@example.com' }).waitFor()
    expect(new URL(page.url()).search).toBe('?state=reached')
    await page.reload()
    await page.getByText('End of list: 2 rows').waitFor()
    await page.getByRole('link', { name: 'over@example.com' }).click()
    await heading(page, 'over@example.com').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/${list}/${APP_KEY}/over%40example.com`)
    expect(problems).toEqual([])
  })

  it('shows a user with the curve to the limit, notices, accounts and calls, and a viewer why the limit cannot be set', async () => {
    const { page, problems } = await onward.open(`${list}/${APP_KEY}/near%40example.com`, 'viewer')
    await page.getByRole('figure', { name: 'Tasks in this period' }).waitFor()
    await page.getByRole('row', { name: /^80%/ }).waitFor()
    await page.getByRole('table', { name: 'Connected accounts' }).getByText('Active').waitFor()
    await page.getByRole('table', { name: 'Newest calls' }).getByText('counted').nth(3).waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await page.getByRole('table', { name: 'Newest calls' }).getByText('counted').nth(3).waitFor()
    expect(asked.filter((path) => path.includes('/admin/tasks'))).toEqual([expect.stringMatching(/\/admin\/tasks$/)])
    const set = page.getByRole('button', { name: 'Set limit' })
    expect(await set.getAttribute('aria-disabled')).toBe('true')
    await set.hover()
    await page.getByText('This needs the role developer').waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    expect(problems).toEqual([])
  })

  it('suspends a user with a reason that callers read, and ends that', async () => {
    const user = 'suspended@example.com'
    await onward.connect(user)
    const address = `${list}/${APP_KEY}/${encodeURIComponent(user)}`
    const developer = await onward.open(address, 'developer')
    expect(await developer.page.getByRole('button', { name: 'Suspend …' }).getAttribute('aria-disabled')).toBe('true')
    const { page, problems } = await onward.open(address, 'owner')
    await page.getByRole('button', { name: 'Suspend …' }).click()
    const dialog = page.getByRole('dialog', { name: `Suspend ${user}` })
    await dialog.getByLabel('Reason').fill('Unusual activity.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).click()
    await page.getByText('The user is suspended').waitFor()
    await page.getByRole('main').getByText('Suspended', { exact: true }).first().waitFor()
    await expectAccessible(page)
    const called = () => onward.call(user, 'addressbook-list-contacts', { page_size: 1 })
    await expect(called()).rejects.toMatchObject({ code: 'suspended', message: expect.stringContaining('Unusual activity.') })
    await page.getByRole('button', { name: 'End suspension' }).click()
    await page.getByRole('button', { name: 'Suspend …' }).waitFor()
    await eventually(called)
    expect(problems).toEqual([])
  })

  it('marks the users that are suspended or may only read, and filters by it, also those without tasks', async () => {
    const suspended = {
      'over@example.com': 'suspended',
      'new-and-suspended@example.com': 'suspended',
      'near@example.com': 'read_only',
    } as const
    const put = (user_id: string, state: 'active' | 'suspended' | 'read_only') => {
      const body = {
        workspace_id: WORKSPACE_ID,
        app_key: APP_KEY,
        user_id,
        state,
        ...(state !== 'active' && { reason: 'Unusual activity.' }),
      }
      return send(onward.functionsAdmin, putSuspension, { body })
    }
    for (const [user, state] of Object.entries(suspended)) await put(user, state)
    const { page, problems } = await onward.open(list, 'viewer')
    const row = (user: string) => page.getByRole('row', { name: new RegExp(`^${user}`) })
    await row('over@example.com').getByText('Suspended', { exact: true }).waitFor()
    await row('near@example.com').getByText('Read only', { exact: true }).waitFor()
    await row('beyond@example.com').getByText('Over the limit').waitFor()
    await page.getByRole('search').getByRole('button', { name: 'State' }).click()
    await page.getByRole('button', { name: 'Suspended' }).click()
    await page.getByText('End of list: 2 rows').waitFor()
    await row('over@example.com').getByText('Suspended', { exact: true }).waitFor()
    await row('new-and-suspended@example.com').getByText('Suspended', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.goto(`${onward.consoleUrl}${list}?state=read_only&search=NEAR`)
    await page.getByText('End of list: 1 row').waitFor()
    await page.route('**/admin/suspensions?**', (route) =>
      route.fulfill({ status: 500, json: { error: 'busy', error_details: [], code: 'internal_error' } }),
    )
    await page.goto(`${onward.consoleUrl}${list}`)
    await page.getByText('The list does not show which users are suspended: busy').waitFor()
    await row('over@example.com').getByText('At the limit').waitFor()
    for (const user of Object.keys(suspended)) await put(user, 'active')
    expect(problems.filter((problem) => !problem.includes('500'))).toEqual([])
  })

  it('deletes the data of a user once the id is typed, and says what stays', async () => {
    const gone = 'gone+me@example.com'
    await onward.connect(gone)
    await onward.call(gone, 'addressbook-list-contacts', { page_size: 1 })
    await onward.counted(gone, 1)
    const address = `${list}/${APP_KEY}/${encodeURIComponent(gone)}`
    const viewer = await onward.open(address, 'developer')
    expect(await viewer.page.getByRole('button', { name: 'Delete data …' }).getAttribute('aria-disabled')).toBe('true')
    const { page, problems } = await onward.open(address, 'owner')
    await page.getByRole('button', { name: 'Delete data …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the data of this user?' })
    await dialog.getByText('stay under a pseudonym').waitFor()
    await expectAccessible(page)
    const action = dialog.getByRole('button', { name: 'Delete data', exact: true })
    expect(await action.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel(`Type ${gone} to confirm`).fill(gone)
    await action.click()
    await page.getByText('Data deleted. Counts stay under a pseudonym.').waitFor()
    await page.waitForURL((url) => url.pathname.endsWith('/users'))
    const query = { app_key: APP_KEY }
    await expect(send(onward.partner, getUserTasks, { params: { id: gone }, query })).rejects.toMatchObject({ code: 'user_not_found' })
    const { connected_accounts: left } = await send(onward.clientOf(gone), listOwnAccounts, { body: {} })
    expect(left).toEqual([])
    await page.goto(`${onward.consoleUrl}w/${WORKSPACE_ID}/settings/audit`)
    await page.getByText('Deleted the data of a user').first().waitFor()
    expect(problems).toEqual([])
  })

  it('leads from a notice to its delivery', async () => {
    const { page, problems } = await onward.open(`${list}/${APP_KEY}/over%40example.com`, 'viewer')
    await page.getByRole('row', { name: /^100%/ }).getByRole('link', { name: 'Delivered' }).click()
    const panel = page.getByRole('complementary', { name: 'Webhook: 100% of the limit' })
    await panel.getByText('Your endpoint accepted this webhook.').waitFor()
    await panel.getByText('over@example.com').first().waitFor()
    expect(problems).toEqual([])
  })

  it('says what a limit does before it is set, with the keyboard only', async () => {
    await setLimit('typist@example.com', 10)
    const { page, problems } = await onward.open(`${list}/${APP_KEY}/near%40example.com`, 'developer')
    await page.getByRole('button', { name: 'Set limit' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Set the limit of near@example.com' })
    const field = dialog.getByLabel('Limit', { exact: true })
    await field.fill('1.5')
    await field.press('Enter')
    await dialog.getByText('Enter a whole number of tasks').waitFor()
    await field.fill('4')
    await dialog.getByText('The user will be at the limit immediately.').waitFor()
    await dialog.getByText('1 webhook will be sent.').waitFor()
    await expectAccessible(page)
    await field.fill('8')
    await dialog.getByText('No webhooks will be sent.').waitFor()
    await field.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('of 8', { exact: true }).waitFor()
    expect(problems).toEqual([])
  })

  it('sets the limits of a CSV file after a preview, and leaves out lines with errors', async () => {
    const { page, problems } = await onward.open(`${list}/csv?app_key=${APP_KEY}`, 'developer')
    const lines = [
      'user_id,limit',
      ...Array.from({ length: 2500 }, (_, n) => `csv-${n},${n}`),
      'csv-1,5',
      'csv-x,much',
      'over@example.com,2',
    ]
    const file = { name: 'limits.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByText('2 lines skipped').waitFor()
    await page.getByRole('row', { name: '2,502 csv-1, 5 the same user is in line 3' }).waitFor()
    await page.getByRole('row', { name: '2,503 csv-x, much the limit must be a whole number, 0 or more' }).waitFor()
    await page.getByRole('row', { name: '2 csv-0 0 New' }).waitFor()
    const shown = page.getByLabel('Show', { exact: true })
    await shown.selectOption('Changed (1)')
    await page.getByRole('row', { name: '2,504 over@example.com 3 → 2 Changed' }).waitFor()
    await page.getByRole('row', { name: 'csv-0' }).waitFor({ state: 'detached' })
    await shown.selectOption('New (2,500)')
    await page.getByRole('button', { name: 'Limit', exact: true }).click()
    await page.getByRole('button', { name: 'Limit', exact: true }).click()
    await page.getByRole('row', { name: '2,501 csv-2499 2,499 New' }).waitFor()
    const figure = (name: string) => page.getByText(name, { exact: true }).locator('xpath=..')
    await figure('New').getByText('2,500').waitFor()
    await figure('Changed').getByText('1', { exact: true }).waitFor()
    await figure('At the limit immediately').getByText('2', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByText('csv-2499').waitFor()
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.getByRole('button', { name: 'Set 2,501 limits' }).click()
    await page.getByText('2,501 limits set.', { exact: true }).waitFor()
    await page.goto(`${onward.consoleUrl}${list}?search=CSV-249`)
    await page.getByText('End of list: 11 rows').waitFor()
    expect(problems).toEqual([])
  })

  it('stops the limits of a file, says how many are set, and goes on', async () => {
    const { page, problems } = await onward.open(`${list}/csv?app_key=${APP_KEY}`, 'developer')
    let requests = 0
    let goOn = () => {}
    await page.route('**/partners/api/insights/users/tasks*', async (route) => {
      requests++
      if (requests === 2) await new Promise<void>((resolve) => (goOn = resolve))
      await route.continue()
    })
    const lines = Array.from({ length: 2100 }, (_, n) => `stop-${n}\t${n + 1}`)
    await page.getByLabel('CSV file').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from(lines.join('\n')) })
    await page.getByRole('button', { name: 'Set 2,100 limits' }).click()
    await page.getByText('1,000 of 2,100 limits set').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    goOn()
    await page.getByText('Stopped. 2,000 limits set, 100 limits not set.').waitFor()
    await page.getByRole('button', { name: 'Continue with 100 limits' }).click()
    await page.getByText('2,100 limits set.', { exact: true }).waitFor()
    expect([requests, problems]).toEqual([3, []])
  })

  it('says how many users keep or get a limit before the default or the bulk limit is stored', async () => {
    const { page, problems } = await onward.open(`${list}/limits`, 'developer')
    const [first, second] = [page.getByLabel('Tasks per period').first(), page.getByLabel('Tasks per period').nth(1)]
    await first.fill('2,000')
    await page.getByText(/users keep their current limits/).waitFor()
    await page.getByRole('button', { name: 'Set default limit' }).click()
    await page.getByText('Default limit set').waitFor()
    await page.getByText('2,000', { exact: true }).waitFor()
    await second.fill('4')
    await page.getByText('At the limit immediately', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Set the limit of all users' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set the limit of all users?' })
    await dialog.getByText(/users get the limit 4\./).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Set all limits' }).click()
    await page.getByText('Limits of all users set').waitFor()
    await page.goto(`${onward.consoleUrl}${list}/${APP_KEY}/near%40example.com`)
    await page.getByText('Set for all users at once.').waitFor()
    expect(problems).toEqual([])
  })

  it('finds one of 100,000 users, and draws only the rows in view', async () => {
    await send(onward.insightsAdmin, putInsightsApplication, { params: { app_key: MANY_KEY }, body: { workspace_id: WORKSPACE_ID } })
    await send(onward.functionsAdmin, putApplication, { params: { app_key: MANY_KEY }, body: { workspace_id: WORKSPACE_ID, name: 'Zoo' } })
    await inDatabase(
      onward.insightsDatabaseUrl,
      `insert into usage_user (app_key, user_id, task_limit, limit_seq)
       select '${MANY_KEY}', 'user-' || lpad(n::text, 6, '0') || '@example.com', 7, 1000 from generate_series(1, ${MANY}) n`,
    )
    const { page, problems } = await onward.open(`${list}?app_key=${MANY_KEY}`, 'viewer')
    await page.getByRole('link', { name: 'user-000001@example.com' }).waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    const search = page.getByLabel('Search by user ID')
    await search.fill('USER-099999')
    await page.getByRole('link', { name: 'user-099999@example.com' }).waitFor()
    await page.getByText('End of list: 1 row').waitFor()
    await page.getByLabel('Application', { exact: true }).selectOption({ label: 'All applications' })
    await page.getByText('End of list: 1 row').waitFor()
    await page.getByRole('cell', { name: 'Zoo' }).waitFor()
    expect(problems).toEqual([])
  })

  it('shows why users cannot be read, and reads them again', async () => {
    const { page } = await onward.open(`${list}?search=near`, 'viewer')
    await page.getByRole('link', { name: 'near@example.com' }).waitFor()
    const refusal = { error: 'the service is busy', error_details: [], code: 'task_limit_reached', request_id: 'request-7' }
    await page.route('**/admin/users?*', (route) => route.fulfill({ status: 400, json: refusal }))
    await page.reload()
    await page.getByText('request-7').waitFor()
    await expectAccessible(page)
    await page.unroute('**/admin/users?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'near@example.com' }).waitFor()
  })
})
