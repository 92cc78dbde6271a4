import { randomUUID } from 'node:crypto'
import { ERROR_HELP, readCalls, setUserLimits } from '@onward/contract'
import { OnwardError, send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import type { Page } from 'playwright-core'
import { APP_KEY, USER_ID } from './both-areas.ts'
import { describeWithBrowser, expectAccessible, expectFits } from './console-page.ts'
import { OTHER, openProduct, type Product, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const LIST = 'addressbook-list-contacts'
const GET = 'addressbook-get-contact'
const ANN = 'ann@example.com'
const LATER = 'later@example.com'
const OVERVIEW = `w/${WORKSPACE_ID}`
const CALLS = `${OVERVIEW}/calls`
const BROKEN = { status: 500, json: { error: 'it broke', error_details: [], code: 'internal_error', request_id: 'request-of-the-tests' } }

describeWithBrowser('the calls and the overview of the console in Chromium', () => {
  let onward: Product
  let failedId: string
  beforeAll(async () => {
    onward = await openProduct()
    for (const userId of [ANN, LATER]) await onward.connect(userId)
    await send(onward.partner, setUserLimits, { query: { app_key: APP_KEY }, body: [{ user_id: ANN, allowed_tasks: 2 }] })
    await onward.call(USER_ID, LIST, { page_size: 1 })
    await onward.call(ANN, LIST, { page_size: 2 })
    failedId = (await onward.call(ANN, GET, { contact_id: 98_765 })).callId
    await onward.counted(USER_ID, 1)
    await onward.counted(ANN, 2)
  })
  afterEach(() => onward.closePages())
  afterAll(() => onward.close())

  const rows = (page: Page) => page.locator('tbody [data-row]')
  const panel = (page: Page, name: string) => page.getByRole('complementary', { name })
  const rowsBecome = (page: Page, count: number) => eventually(async () => expect(await rows(page).count()).toBe(count))
  const rowIsFocused = (page: Page) =>
    eventually(async () => expect(await page.evaluate('document.activeElement.dataset.row')).toBeTruthy())
  const hrefOf = async (page: Page, name: string) => {
    const href = await page.getByRole('link', { name, exact: true }).first().getAttribute('href')
    const { pathname, search } = new URL(href ?? '', page.url())
    return [pathname.replace('/console/', ''), Object.fromEntries(new URLSearchParams(search))]
  }

  it('shows why a call failed, what was sent and whether it was counted, and leads on to what it belongs to', async () => {
    const { page, problems } = await onward.open(CALLS, 'developer')
    await rowsBecome(page, 3)
    await page.getByRole('link', { name: 'Failed', exact: true }).click()
    await rowsBecome(page, 1)
    await page.locator('tbody').getByText('There is no such contact.').waitFor()
    await rows(page).click()
    const call = panel(page, GET)
    await call.getByText('There is no such contact.', { exact: true }).waitFor()
    await call.getByText('The app found nothing to act on').waitFor()
    await call.getByText('98765').waitFor()
    await call.getByText('Counted as one task').nth(1).waitFor()
    expect(new URL(page.url()).searchParams.get('call')).toBe(failedId)
    await expectAccessible(page)
    const search = { app_key: APP_KEY, user: ANN, function: GET, call: failedId }
    expect(await hrefOf(page, 'Open in playground')).toEqual([`${OVERVIEW}/playground`, search])
    expect(await hrefOf(page, ANN)).toEqual([`${OVERVIEW}/users/${APP_KEY}/${encodeURIComponent(ANN)}`, {}])
    await call.getByRole('link', { name: 'The only call with this result in 7 days' }).click()
    await page.getByRole('button', { name: 'Remove filter Status' }).waitFor()
    await rowsBecome(page, 1)
    expect(problems).toEqual([])
  })

  it('finds calls by the id of the call or its request, and by a part of the user or the function', async () => {
    const { page, problems } = await onward.open(`${CALLS}?call=${failedId}`, 'viewer')
    const requestId = (await panel(page, GET).locator('dt:text-is("Request ID") + dd code').textContent()) ?? ''
    const searches = [
      [failedId, 1],
      [randomUUID(), 0],
      [requestId, 1],
      ['nobody', 0],
      [USER_ID.slice(0, -4).toUpperCase(), 1],
      [LIST.slice(1), 2],
    ] as const
    for (const [text, count] of searches) {
      await page.getByRole('searchbox', { name: /or ID/ }).fill(text)
      await rowsBecome(page, count)
    }
    expect(problems).toEqual([])
  })

  it('opens calls by keyboard, and lets new ones wait while one is read', async () => {
    const { page, problems } = await onward.open(CALLS, 'viewer')
    await rowsBecome(page, 3)
    await page.keyboard.press('j')
    await rowIsFocused(page)
    await page.keyboard.press('Enter')
    await panel(page, GET).waitFor()
    await page.keyboard.press('j')
    await panel(page, LIST).waitFor()
    await onward.call(LATER, LIST, { page_size: 1 })
    const paused = page.getByRole('button', { name: 'Paused, 1 row new' })
    await paused.waitFor()
    expect(await rows(page).count()).toBe(3)
    await page.keyboard.press('Escape')
    await panel(page, LIST).waitFor({ state: 'detached' })
    await rowIsFocused(page)
    await rowsBecome(page, 4)
    expect(problems).toEqual([])
  })

  it('shows messages only if a call has one, and the newest calls in the upper half of the screen of a laptop', async () => {
    const { page, problems } = await onward.open(`${CALLS}?user=${USER_ID}`, 'viewer')
    await rowsBecome(page, 1)
    expect(await page.getByRole('columnheader', { name: 'Message' }).count()).toBe(0)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('columnheader', { name: 'Message' }).waitFor()
    await page.getByRole('slider', { name: 'Calls per hour' }).waitFor()
    await eventually(async () => {
      const box = await page.locator('tbody tr[aria-rowindex]').first().boundingBox()
      expect(box?.y).toBeLessThan(420)
    })
    expect(problems).toEqual([])
  })

  it('sets the period with the chart, by dragging and by keyboard', async () => {
    const { page, problems } = await onward.open(CALLS, 'viewer')
    const chart = page.getByRole('slider', { name: 'Calls per hour' })
    const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(box.x + box.width / 2, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2 + 120, box.y + 40, { steps: 4 })
    await page.mouse.up()
    await page.waitForURL(/period=[^&]+Z\.\.[^&]+Z/)
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await rows(page).first().waitFor()
    await chart.focus()
    await chart.press('ArrowLeft')
    await chart.press('Enter')
    await page.waitForURL(/period=/)
    await rows(page).first().waitFor()
    await page.goBack()
    await page.waitForURL((url) => !url.searchParams.has('period'))
    expect(problems).toEqual([])
  })

  it('draws only what the list has', async () => {
    const { page, problems } = await onward.open(CALLS, 'viewer')
    const chart = page.getByRole('slider', { name: 'Calls per hour' })
    const counted = async (text: RegExp) => {
      await chart.waitFor()
      await eventually(async () => {
        await chart.press('End')
        expect(await chart.getAttribute('aria-valuetext')).toMatch(text)
      })
    }
    await counted(/Succeeded \d+, Failed 1$/)
    await page.getByRole('link', { name: 'Failed', exact: true }).click()
    await rowsBecome(page, 1)
    await counted(/: Failed 1$/)
    await page.getByRole('searchbox', { name: /or ID/ }).fill(GET)
    await page.waitForURL((url) => url.searchParams.get('q') === GET)
    await rowsBecome(page, 1)
    expect(await chart.count()).toBe(0)
    await page.getByRole('searchbox', { name: /or ID/ }).fill('')
    await chart.waitFor()
    expect(problems).toEqual([])
  })

  it('says that the browser is offline, or that the gateway failed, and reads the list again by itself', async () => {
    const { page } = await onward.open(CALLS, 'viewer')
    await rows(page).first().waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Offline, retrying' }).waitFor()
    await page.getByRole('searchbox', { name: /or ID/ }).fill(LIST)
    await page.getByText('Your browser is offline.').first().waitFor()
    await page.context().setOffline(false)
    await rows(page).first().waitFor()
    await page.route('**/admin/calls?*', (route) => route.fulfill({ status: 502, body: '<html>Bad gateway</html>' }))
    await page.getByRole('searchbox', { name: /or ID/ }).fill(GET)
    await page.getByText('A server in front of Onward answered with status 502. Try again in a moment.').first().waitFor()
    await page.route('**/calls/statistics?*', (route) => route.fulfill({ status: 502, body: '<html>Bad gateway</html>' }))
    await page.goto(`${onward.consoleUrl}w/${WORKSPACE_ID}`)
    await page.getByText('A server in front of Onward answered with status 502. Try again in a moment.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    await page.unroute('**/calls/statistics?*')
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
  })

  it('asks for newer calls at once when the browser comes back online', async () => {
    const { page } = await onward.open('system', 'viewer')
    await page.clock.install()
    await page.goto(`${onward.consoleUrl}${CALLS}`)
    await rows(page).first().waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Offline, retrying' }).waitFor()
    // No timer of the page fires any more.
    await page.clock.pauseAt(Date.now() + 100)
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Live' }).waitFor()
  })

  it('keeps the list when the chart fails, and says why a body was not kept or how much of it was', async () => {
    const { page, problems } = await onward.open('system', 'developer')
    const chart = { broken: true }
    await page.route('**/calls/statistics?*', (route) => (chart.broken ? route.fulfill(BROKEN) : route.continue()))
    await page.route(`**/admin/calls/${failedId}?*`, async (route) => {
      const { arguments: _, output: __, ...call } = await (await route.fetch()).json()
      await route.fulfill({ json: { ...call, bodies: 'not_kept' } })
    })
    await page.goto(`${onward.consoleUrl}${CALLS}?call=${failedId}`)
    await panel(page, GET).getByText('CALL_BODIES').waitFor()
    await page.unroute(`**/admin/calls/${failedId}?*`)
    await page.route(`**/admin/calls/${failedId}?*`, async (route) => {
      const call = await (await route.fetch()).json()
      await route.fulfill({ json: { ...call, output: '[{"id": 1, "na', cut: { output: 100_002 } } })
    })
    await page.reload()
    await panel(page, GET).getByText('Only the first 14 of 100,002 characters were stored.').waitFor()
    await panel(page, GET).getByText('[{"id": 1, "na').waitFor()
    const failure = page.getByRole('alert').filter({ hasText: 'Calls over time could not be loaded.' })
    await failure.getByText('request-of-the-tests').waitFor()
    await rows(page).first().waitFor()
    await expectAccessible(page, 'dark')
    await failure.getByRole('button', { name: 'Try again' }).click()
    // The chart is also read again by itself, which would remove the button before the press.
    chart.broken = false
    await page.getByRole('slider', { name: 'Calls per hour' }).waitFor()
    expect(problems.filter((problem) => !problem.includes('status of 500'))).toEqual([])
  })

  it('shows the names of functions in full in a window of 1,440 pixels', async () => {
    const { page, problems } = await onward.open(CALLS, 'viewer', { viewport: { width: 1_440, height: 900 } })
    await rows(page).first().waitFor()
    const names =
      (await page.evaluate(`[...document.querySelectorAll('tbody [title^="addressbook-"]')].map(({ title, parentElement: box }) =>
      [title, box.scrollWidth > box.clientWidth])`)) as [string, boolean][]
    expect(names).toContainEqual([GET, false])
    expect(names.filter(([, isCut]) => isCut)).toEqual([])
    expect(problems).toEqual([])
  })

  it('shows a call as a sheet in a window of 320 pixels', async () => {
    const { page, problems } = await onward.open(`${CALLS}?call=${failedId}`, 'viewer', { viewport: { width: 320, height: 640 } })
    await page.getByRole('dialog', { name: GET }).getByText('98765').waitFor()
    await expectFits(page)
    await expectAccessible(page, 'light')
    expect(problems).toEqual([])
  })

  it('shows the message of a failed call in full on a phone, in place of its user', async () => {
    const { page, problems } = await onward.open(`${CALLS}?failed=1`, 'viewer', { viewport: { width: 390, height: 844 } })
    const message = page.getByRole('listitem').getByText('There is no such contact.')
    await message.waitFor()
    expect(await message.evaluate(({ parentElement: box }) => (box?.scrollWidth ?? 1) <= (box?.clientWidth ?? 0))).toBe(true)
    expect(await page.getByRole('listitem').getByText(ANN).count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('shows what happened and what needs attention, with links to the calls and users behind each number', async () => {
    const { page, problems } = await onward.open(OVERVIEW, 'viewer')
    await page.getByRole('slider', { name: 'Calls per hour' }).waitFor()
    await page.getByRole('link', { name: '1 user has reached the limit' }).waitFor()
    expect(await hrefOf(page, '1 user has reached the limit')).toEqual([`${OVERVIEW}/users`, { state: 'reached' }])
    expect(await hrefOf(page, '1 failed call')).toEqual([CALLS, { period: '24h', failed: '1' }])
    const cause = { period: '24h', function: GET, outcome: 'answered', status: '404' }
    expect(await hrefOf(page, GET)).toEqual([CALLS, cause])
    expect(await hrefOf(page, `Open the newest failed call of ${GET}`)).toEqual([CALLS, { ...cause, call: failedId }])
    await page.getByRole('img', { name: /calls, 1 failed/ }).waitFor()
    await expectAccessible(page)
    await page.getByRole('radio', { name: 'Duration' }).press('Space')
    await page.getByRole('slider', { name: 'Duration of calls per hour' }).waitFor()
    await page.getByRole('radio', { name: '30 days' }).press('Space')
    await page.getByRole('slider', { name: 'Duration of calls, slowest hour of each day' }).waitFor()
    await page.getByRole('radio', { name: 'Applications' }).press('Space')
    await page.getByRole('link', { name: 'Shop', exact: true }).waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ period: '30d', chart: 'duration', by: 'app_key' })
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    expect(problems).toEqual([])
  })

  it('ticks the steps of the setup from what exists, and stores only that they were dismissed', async () => {
    const { page, problems } = await onward.open(OVERVIEW, 'developer')
    await page.getByText('5 of 6 steps done').waitFor()
    expect(await page.getByRole('img', { name: 'To do' }).count()).toBe(1)
    expect(await hrefOf(page, 'Add a subscription')).toEqual([`${OVERVIEW}/webhooks`, {}])
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('5 of 6 steps done').waitFor({ state: 'detached' })
    expect(await page.evaluate('JSON.stringify(localStorage)')).toBe(JSON.stringify({ 'onward-setup-dismissed': `["${WORKSPACE_ID}"]` }))
    await page.reload()
    await page.getByRole('slider', { name: 'Calls per hour' }).waitFor()
    expect(await page.getByText('5 of 6 steps done').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('says what a new workspace needs first, and that it has no calls', async () => {
    const { page, problems } = await onward.open(`w/${OTHER.workspaceId}`, 'operator')
    await page.getByText('1 of 6 steps done').waitFor()
    await page.getByText('No calls in the last 24 hours').waitFor()
    await page.getByText('Nothing needs attention').waitFor()
    await expectAccessible(page, 'light')
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await page.getByText('No calls in the last 24 hours').waitFor()
    expect(problems).toEqual([])
  })

  it('shows the other parts of the overview when one fails', async () => {
    const { page, problems } = await onward.open('system', 'developer')
    await page.route('**/attention', (route) => route.fulfill(BROKEN))
    await page.goto(`${onward.consoleUrl}${OVERVIEW}`)
    await page.getByRole('alert').filter({ hasText: 'Limits and webhooks could not be loaded.' }).waitFor()
    await page.getByRole('slider', { name: 'Calls per hour' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    expect(problems.filter((problem) => !problem.includes('status of 500'))).toEqual([])
  })

  // The last test, because the others count the rows.
  it('lists a refused call with what to change, and finds it by its request id', async () => {
    const err = await onward.call(ANN, GET).catch((err: unknown) => err)
    if (!(err instanceof OnwardError)) throw new Error('the call was not refused')
    const stored = async () => (await send(onward.functionsAdmin, readCalls, { query: { outcome: 'refused' } })).calls.length
    await eventually(async () => expect(await stored()).toBe(1))
    const { page, problems } = await onward.open(CALLS, 'viewer')
    await page.locator('tbody').getByText('Refused', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Refused', exact: true }).click()
    await rowsBecome(page, 1)
    await rows(page).click()
    const call = panel(page, GET)
    for (const text of ['400 invalid_parameters', 'the parameters are not valid', ...err.details]) await call.getByText(text).waitFor()
    await call.getByText(ERROR_HELP.invalid_parameters.remedy).waitFor()
    await call.getByText('Onward refused this call. Nothing was sent to the app, and no task was counted.').waitFor()
    await expectAccessible(page)
    await page.goto(`${onward.consoleUrl}${OVERVIEW}`)
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /setting or ID/ }).fill(err.requestId)
    await page.getByRole('option', { name: `${GET} Request` }).click()
    await call.getByText(err.requestId).waitFor()
    await rowsBecome(page, 1)
    expect(problems).toEqual([])
  })

  it('keeps the place in a period form that is longer than the window while new calls arrive', async () => {
    const { page, problems } = await onward.open(CALLS, 'viewer')
    await page.setViewportSize({ width: 1280, height: 600 })
    await rows(page).first().waitFor()
    const before = await rows(page).count()
    await page.getByRole('button', { name: 'Last 24 hours' }).click()
    const form = page.getByRole('dialog', { name: 'Period' })
    const fromTop = () => form.evaluate((box) => box.scrollTop)
    await form.hover()
    await page.mouse.wheel(0, 1000)
    await eventually(async () => expect(await fromTop()).toBeGreaterThan(100))
    const place = await fromTop()
    await onward.call(USER_ID, LIST, { page_size: 1 })
    await rowsBecome(page, before + 1)
    expect(await fromTop()).toBe(place)
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(/period=/)
    expect(problems).toEqual([])
  })
})
