import { createMcpToken, createSubscription } from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import type { Page } from 'playwright-core'
import { USER_ID } from './both-areas.ts'
import { describeWithBrowser, expectAccessible, expectFits } from './console-page.ts'
import { openProduct, type Product, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const LIST = 'addressbook-list-contacts'
const GET = 'addressbook-get-contact'
const ANN = 'ann@example.com'
const LOGO = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E'
const HOME = `w/${WORKSPACE_ID}`

describeWithBrowser('the search of the console in Chromium', () => {
  let onward: Product
  let failedId: string
  beforeAll(async () => {
    onward = await openProduct()
    await onward.connect(ANN)
    await onward.call(USER_ID, LIST, { page_size: 1 })
    failedId = (await onward.call(ANN, GET, { contact_id: 98_765 })).callId
    await onward.counted(USER_ID, 1)
    await onward.counted(ANN, 1)
  })
  afterEach(() => onward.closePages())
  afterAll(() => onward.close())

  const rows = (page: Page) => page.locator('tbody [data-row]')
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const paramsOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

  /** Opens the search, types a text, and returns the option with this name. */
  async function find(page: Page, text: string, name: string | RegExp) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /setting or ID/ }).fill(text)
    const option = page.getByRole('option', { name }).first()
    await option.waitFor()
    return option
  }

  async function openHome(role: 'viewer' | 'developer' | 'owner', timezoneId = 'UTC') {
    const opened = await onward.open(HOME, role, { timezoneId })
    await opened.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    return opened
  }

  it('finds a user, the calls of the user, an app and a function by a part of their names', async () => {
    const { page, problems } = await openHome('viewer')
    await find(page, 'ann@', `${ANN} User of Shop`)
    await page.getByRole('option', { name: `${GET} ${ANN}, 404` }).waitFor()
    await expectAccessible(page)
    await page.getByRole('option', { name: `Calls of ${ANN}` }).click()
    await rows(page).first().waitFor()
    expect(paramsOf(page)).toMatchObject({ user: ANN, period: '7d' })
    expect(await rows(page).count()).toBe(1)
    await page.route('**/admin/app-icons', (route) => route.fulfill({ json: { icons: { addressbook: LOGO } } }))
    await page.reload()
    await rows(page).first().waitFor()
    await (await find(page, 'address', 'Address book addressbook')).locator(`img[src="${LOGO}"]`).waitFor()
    await page.getByRole('option', { name: 'Address book addressbook' }).click()
    await page.waitForURL(`**/${HOME}/catalog/addressbook`)
    await (await find(page, 'list contacts', new RegExp(LIST))).click()
    await page.waitForURL(`**/${HOME}/catalog/addressbook/${LIST}`)
    expect(problems).toEqual([])
  })

  it('finds a call by the error of the app, and shows it in the list of such calls', async () => {
    const { page, problems } = await openHome('viewer')
    const { response } = await onward.call(ANN, GET, { contact_id: 98_765 })
    const message = JSON.stringify(response).match(/"(?:error|message)":"([^"]{8,})"/)?.[1] ?? ''
    expect(message).not.toBe('')
    const option = await find(page, message.slice(2).toUpperCase(), `${GET} ${ANN}, 404`)
    await option.getByText(message, { exact: true }).waitFor()
    await option.click()
    await page.getByRole('complementary', { name: GET }).waitFor()
    await rows(page).nth(1).waitFor()
    expect(await rows(page).count()).toBe(2)
    expect(paramsOf(page)).toMatchObject({ q: message.slice(2).toUpperCase() })
    await page.getByRole('searchbox').fill('nothing like this')
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByRole('searchbox').fill('CONTACT')
    await rows(page).nth(2).waitFor()
    expect(problems).toEqual([])
  })

  it.each([
    ['Europe/Rome', '2026-11-27T12:50:00.000Z..2026-11-27T13:20:00.000Z', '27 Nov, 13:50 – 14:20 GMT+1'],
    ['UTC', '2026-11-27T13:50:00.000Z..2026-11-27T14:20:00.000Z', '27 Nov, 13:50 – 14:20 UTC'],
  ])('opens the calls of a user around a time in the zone %s', async (timezoneId, period, shown) => {
    const { page, problems } = await openHome('viewer', timezoneId)
    await page.clock.setFixedTime(new Date('2026-11-28T13:50:00Z'))
    await page.reload()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    const option = await find(page, 'ann yesterday 14:05', `Calls of ${ANN}`)
    expect(await option.getAttribute('aria-selected')).toBe('true')
    expect((await option.textContent())?.replaceAll('Nov 27', '27 Nov')).toContain(shown)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor()
    expect(paramsOf(page)).toMatchObject({ user: ANN, period })
    expect(problems).toEqual([])
  })

  it('shows the times of the address in UTC when UTC is chosen', async () => {
    const { page, problems } = await openHome('viewer', 'Europe/Rome')
    await (await find(page, 'times utc', 'Show times in UTC')).click()
    await (await find(page, 'yesterday 14:05', 'All calls')).click()
    await page.getByRole('button', { name: /13:50 – 14:20 UTC/ }).waitFor()
    expect(paramsOf(page).period).toMatch(/T13:50:00\.000Z\.\..*T14:20:00\.000Z$/)
    await page.getByRole('button', { name: /13:50 – 14:20 UTC/ }).click()
    expect(await page.getByLabel('From, time').inputValue()).toBe('13:50')
    await page.getByText('Times in UTC').waitFor()
    await page.getByLabel('Until, time').fill('2:20 PM')
    await button(page, 'Apply').click()
    await page.getByLabel('Until, time').fill('9:05')
    await page.getByText('The end must be after the beginning.').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Until, time').fill('15:05')
    await button(page, 'Apply').click()
    await page.getByRole('button', { name: /13:50 – 15:05 UTC/ }).click()
    await button(page, 'Yesterday').click()
    await page.waitForURL((url) => /T00:00:00\.000Z\.\..*T00:00:00\.000Z$/.test(url.searchParams.get('period') ?? ''))
    await page.getByRole('button', { name: /00:00 – 24:00 UTC/ }).waitFor()
    expect(problems).toEqual([])
  })

  it('opens settings, and does what actions say', async () => {
    const { page, problems } = await openHome('owner')
    await (await find(page, 'rotate', 'Keys of Shop')).click()
    await page.waitForURL(/\/applications\/[^/]+\/keys$/)
    await (await find(page, 'invite', 'Invite a member')).click()
    const dialog = page.getByRole('dialog', { name: /Invite/ })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(paramsOf(page)).toEqual({})
    await (await find(page, 'dark', 'Dark theme')).click()
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await (await find(page, 'shortcuts', 'Keyboard shortcuts')).click()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(problems).toEqual([])
  })

  it('finds pages by other words, calls by their status, and the limit of a user', async () => {
    const { page, problems } = await openHome('owner')
    await find(page, 'operator', /Search users for/)
    await page.getByText(/^\d+ results?$/).waitFor()
    expect(await page.getByRole('group', { name: 'Functions' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await (await find(page, 'mcp', /^Agents/)).click()
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
    await find(page, '404', `${GET} ${ANN}, 404`)
    await page.getByRole('option', { name: 'Calls with the status 404' }).click()
    await rows(page).first().waitFor()
    expect(paramsOf(page)).toMatchObject({ status: '404' })
    await (await find(page, 'limit ann', `Set the limit of ${ANN} User of Shop`)).click()
    const dialog = page.getByRole('dialog', { name: /limit/i })
    await dialog.waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(paramsOf(page)).toEqual({})
    expect(problems).toEqual([])
  })

  it('finds where users and applications are suspended, and where that ends', async () => {
    const { page, problems } = await openHome('owner')
    await (await find(page, 'suspend ann', `Suspend ${ANN}, or end the suspension User of Shop`)).click()
    const dialog = page.getByRole('dialog', { name: `Suspend ${ANN}` })
    await dialog.getByLabel('Reason').fill('Unusual activity.')
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(paramsOf(page)).toEqual({})
    await page.goto(`${onward.consoleUrl}${HOME}`)
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await (await find(page, 'end suspension', 'Suspended users')).click()
    await page.getByRole('link', { name: ANN }).waitFor()
    expect(paramsOf(page)).toEqual({ state: 'suspended' })
    await (await find(page, 'end suspension of ann', `Suspend ${ANN}, or end the suspension User of Shop`)).click()
    await eventually(async () => expect(await button(page, 'End suspension').isVisible()).toBe(true))
    expect(await page.getByRole('dialog').count()).toBe(0)
    await button(page, 'End suspension').click()
    await button(page, 'Suspend …').waitFor()
    await (await find(page, 'suspend shop', 'Suspension of Shop')).click()
    await page.getByRole('dialog', { name: 'Suspend Shop' }).waitFor()
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('finds webhook endpoints, members and agents by their names, failed calls, and the best name first', async () => {
    const body = { events: ['user_tasks_limit_80'] as const, callback_url: 'https://hooks.example.com/staging' }
    const { subscription_id: id } = await send(onward.partner, createSubscription, { body: { ...body, events: [...body.events] } })
    await send(onward.clientOf(ANN), createMcpToken, { body: { mode: 'search', name: 'Laptop of Ann' } })
    const { page, problems } = await openHome('owner')
    const first = async (text: string) => {
      const field = page.getByRole('combobox', { name: /setting or ID/ })
      if ((await field.count()) === 0) await page.keyboard.press('Control+k')
      await field.fill(text)
      await page.getByText(/^\d+ results?$/).waitFor()
      return (await page.getByRole('option').first().textContent()) ?? ''
    }
    expect(await first('laptop')).toContain('Laptop of Ann')
    expect(await first('owner-')).toMatch(/^owner-.*Owner$/)
    expect(await first('audit')).toBe('Audit log')
    expect(await first('failed calls')).toBe('Failed calls')
    expect(await first('connect address')).toContain('Connect an account of Address book')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: /Connect/ })
    await dialog.waitFor()
    expect(await dialog.getByLabel('App', { exact: true }).inputValue()).toBe('addressbook')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await first('staging')).toContain('hooks.example.com/staging')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/webhooks/${id}`)
    expect(problems).toEqual([])
  })

  it('shows what was opened last, when nothing is typed', async () => {
    const { page, problems } = await openHome('viewer')
    const user = await find(page, 'ann@', `${ANN} User of Shop`)
    await user.click()
    await page.getByRole('heading', { name: ANN, level: 1 }).waitFor()
    await (await find(page, 'address', 'Address book addressbook')).click()
    await page.getByRole('heading', { name: 'Address book', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option')
    await recent.first().waitFor()
    expect(await recent.allTextContents()).toEqual([`${ANN}User of Shop`])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: ANN, level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await recent.getByText('Address book').waitFor()
    expect(problems).toEqual([])
  })

  it('adds what is found below what is shown, so that nothing moves under the pointer', async () => {
    const { page, problems } = await openHome('viewer')
    let answer: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/admin/functions?**', async (route) => {
      await held
      await route.fallback()
    })
    await find(page, 'calls', /^Calls/)
    await page.getByText('Looking up').waitFor()
    const before = await page.getByRole('option').allTextContents()
    answer()
    await page.getByText(/^\d+ results?$/).waitFor()
    const after = await page.getByRole('option').allTextContents()
    expect(after.length).toBeGreaterThan(before.length)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(problems).toEqual([])
  })

  it('opens no dialog that the role may not use', async () => {
    const { page, problems } = await openHome('viewer')
    await (await find(page, 'invite', 'Invite a member')).click()
    await page.getByRole('button', { name: 'Invite member' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await (await find(page, 'limit ann', `Set the limit of ${ANN} User of Shop`)).click()
    await page.getByRole('heading', { name: ANN, level: 1 }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('fits into a window of 390 pixels', async () => {
    const { page, problems } = await onward.open(HOME, 'viewer', { viewport: { width: 390, height: 800 } })
    await page.getByRole('button', { name: 'Search …' }).click()
    await page.getByRole('combobox', { name: /setting or ID/ }).fill('ann yesterday 14:05')
    await page.getByRole('option', { name: `Calls of ${ANN}` }).waitFor()
    await expectFits(page)
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('suggests the functions that were called, before something is typed', async () => {
    const { page, problems } = await onward.open(`${HOME}/calls`, 'viewer')
    await rows(page).first().waitFor()
    await page.getByRole('search', { name: 'Filters' }).getByRole('button', { name: 'Function', exact: true }).click()
    await page.getByRole('option', { name: LIST }).waitFor()
    await page.getByRole('option', { name: GET }).waitFor()
    expect(await page.getByRole('option').count()).toBe(2)
    await page.getByRole('combobox', { name: 'Function' }).fill('get')
    await page.getByRole('option', { name: GET }).waitFor()
    await page.getByRole('option', { name: LIST }).waitFor({ state: 'detached' })
    await page.getByRole('option').nth(1).waitFor()
    expect(await page.getByRole('option').first().textContent()).toContain(GET)
    expect(problems).toEqual([])
  })

  it('suggests values for the filters of a list', async () => {
    const { page, problems } = await onward.open(`${HOME}/calls`, 'viewer')
    await rows(page).first().waitFor()
    const filters = page.getByRole('search', { name: 'Filters' })
    await filters.getByRole('button', { name: 'User', exact: true }).click()
    await page.getByRole('option', { name: ANN }).waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'User' }).fill('ann')
    // While suggestions are read, there are none, and the arrow selects nothing.
    await eventually(async () => {
      expect(await page.getByRole('option').allTextContents()).toEqual([ANN])
      await page.keyboard.press('ArrowDown')
      expect(await page.getByRole('option', { selected: true }).textContent()).toBe(ANN)
    })
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove filter User' }).waitFor()
    expect(paramsOf(page)).toEqual({ user: ANN })
    await filters.getByRole('button', { name: 'App', exact: true }).click()
    await page.getByRole('option', { name: 'Address book addressbook' }).click()
    await page.getByRole('button', { name: 'Remove filter App' }).waitFor()
    await filters.getByRole('button', { name: 'Function', exact: true }).click()
    await page.getByRole('combobox', { name: 'Function' }).fill('read a contact')
    await page.getByRole('option', { name: new RegExp(GET) }).click()
    await page.getByRole('button', { name: 'Remove filter Function' }).waitFor()
    expect(paramsOf(page)).toEqual({ user: ANN, app: 'addressbook', function: GET })
    await filters.getByRole('button', { name: /^User/ }).click()
    await page.getByRole('combobox', { name: 'User' }).fill('zoe@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing matches these filters').waitFor()
    expect(problems).toEqual([])
  })

  it('finds a call by its id', async () => {
    const { page } = await openHome('viewer')
    await (await find(page, failedId, `${GET} Call`)).click()
    await page.getByRole('complementary', { name: GET }).waitFor()
  })
})
