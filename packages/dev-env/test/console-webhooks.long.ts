import {
  createSubscription,
  deleteSubscription,
  disableSubscription,
  enableSubscription,
  getSubscription,
  testSubscription,
  updateSubscription,
} from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually, openScriptedServer, type ScriptedServer } from '@onward/testbed'
import type { Page } from 'playwright-core'
import { describeWithBrowser, expectAccessible, expectFits } from './console-page.ts'
import { openProduct, type Product, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const HOME = `w/${WORKSPACE_ID}/webhooks`
const FAILED = { status: 503, json: { error: 'the database does not answer', error_details: [], code: 'unavailable', request_id: 'r-77' } }

describeWithBrowser('the pages of webhooks in Chromium', () => {
  let onward: Product
  let endpoint: ScriptedServer
  beforeAll(async () => {
    onward = await openProduct()
    endpoint = await openScriptedServer()
  })
  afterEach(async () => await onward.closePages())
  afterAll(async () => {
    await endpoint.close()
    await onward.close()
  })

  const answers = (status: number, body = '') => endpoint.respond((_received, response) => void response.writeHead(status).end(body))

  async function subscribe(path: string): Promise<string> {
    const body = { events: ['user_tasks_limit_80', 'user_tasks_limit_100'], callback_url: `${endpoint.url}${path}` }
    return (await send(onward.partner, createSubscription, { body })).subscription_id
  }

  /** Sends tests that fail, and ends their retries, as when an endpoint was down for days. */
  async function failedDeliveries(id: string, count: number): Promise<void> {
    const params = { subscription_id: id }
    const counts = async () => (await send(onward.partner, getSubscription, { params })).deliveries
    for (let n = 0; n < count; n++) await send(onward.partner, testSubscription, { params })
    await send(onward.partner, disableSubscription, { params })
    await eventually(async () => expect(await counts()).toMatchObject({ pending: 0, failed: count }))
    await send(onward.partner, enableSubscription, { params })
  }

  const shown = (url: string) => url.replace('http://', '')
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  it('leads a developer from the first subscription to an answer of the endpoint', async () => {
    answers(204)
    const { page, problems } = await onward.open(HOME, 'developer')
    await page.getByText('No subscriptions yet').waitFor()
    await expectAccessible(page)
    await button(page, 'Create subscription').first().click()
    await button(page, 'Create').click()
    await page.getByText('Enter the address of your endpoint.').waitFor()
    await page.getByLabel('Endpoint').fill('not an address')
    await button(page, 'Create').click()
    await page.getByText(/^The address must/).waitFor()
    await page.getByLabel('Endpoint').fill(`${endpoint.url}/first`)
    await page.getByLabel('Another level').fill('95')
    await button(page, 'Add').click()
    await page.getByRole('checkbox', { name: '80%' }).uncheck()
    await page.getByRole('checkbox', { name: 'Reconnect required' }).check()
    await page.getByRole('checkbox', { name: 'Limit changed' }).check()
    await expectAccessible(page)
    await button(page, 'Create').click()
    await page.getByText('This is the only time that it is shown.').waitFor()
    await expectAccessible(page)
    expect(page.url()).not.toContain('whsec')
    await page.getByLabel('I have stored it').check()
    await button(page, 'Done').click()
    await page.getByRole('heading', { name: /\/first$/, level: 1 }).waitFor()
    await page.getByText('95% of the limit').waitFor()
    await page.getByText('Reconnect required').waitFor()
    await button(page, 'Send test').click()
    await page.getByText('Your endpoint works').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Open the delivery' }).click()
    await page.getByText('Your endpoint accepted this webhook.').waitFor()
    await expectAccessible(page)
    expect(endpoint.received.map(({ headers }) => headers['event-name'])).toEqual(['user_tasks_limit_95'])
    expect(problems).toEqual([])
  })

  it('says whose fault a failure is, shows what the endpoint answered, and the retry in its place', async () => {
    const id = await subscribe('/failing')
    answers(500, 'the database is locked')
    const { page, problems } = await onward.open(`${HOME}/${id}`, 'developer')
    await button(page, 'Send test').click()
    await page.getByText('Your endpoint responded with 500.').waitFor()
    await page.getByText('the database is locked').waitFor()
    await button(page, 'Done').click()
    await page.getByText('Retrying').waitFor()
    await page.getByText('All attempts have failed since').waitFor()
    await page.getByRole('link', { name: /test@example.com/ }).press('Enter')
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Your endpoint responded with 500' })
      .getByText('the database is locked')
      .first()
      .waitFor()
    await page.getByText('webhook-id').waitFor()
    await expectAccessible(page)
    answers(204)
    await button(page, 'Send again now').click()
    await page.getByText(/^Your endpoint accepted this webhook after/).waitFor()
    await page.getByRole('row').getByText('Delivered').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Your endpoint accepted').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  it('sends to another address and about other events once they are changed, and keeps what somebody else has changed', async () => {
    endpoint.respond((_received, response) => void response.writeHead(503, { 'retry-after': '3600' }).end())
    const id = await subscribe('/old')
    const params = { subscription_id: id }
    const { page, problems } = await onward.open(`${HOME}/${id}/settings`, 'developer')
    await page.getByLabel('Endpoint').fill('ftp://hooks.example.com/')
    await button(page, 'Save changes').click()
    await page.getByText(/^The address must/).waitFor()
    await page.getByLabel('Endpoint').fill(`${endpoint.url}/mine`)
    await page.getByRole('checkbox', { name: '80%' }).uncheck()
    await page.getByRole('checkbox', { name: 'Limit changed' }).check()
    await expectAccessible(page)
    await send(onward.partner, updateSubscription, { params, body: { callback_url: `${endpoint.url}/theirs` } })
    await button(page, 'Save changes').click()
    await button(page, 'Keep mine').click()
    await expectAccessible(page)
    await button(page, 'Save changes').click()
    await heading(page, shown(`${endpoint.url}/mine`)).waitFor()
    await button(page, 'Discard').waitFor({ state: 'hidden' })
    const { deliveries: _, ...stored } = await send(onward.partner, getSubscription, { params })
    expect(stored).toMatchObject({ callback_url: `${endpoint.url}/mine`, events: ['user_tasks_limit_100', 'limit_changed'] })
    answers(204)
    await send(onward.partner, testSubscription, { params })
    await eventually(() => expect(endpoint.received.at(-1)?.url).toBe('/mine'))
    await send(onward.partner, deleteSubscription, { params })
    expect(problems).toEqual([])
  })

  it('sends everything again that failed since a moment, and says before how much that is', async () => {
    const id = await subscribe('/down')
    answers(500)
    await failedDeliveries(id, 3)
    answers(204)
    const before = endpoint.received.length
    const { page, problems } = await onward.open(`${HOME}/${id}`, 'developer')
    await button(page, 'Replay failed deliveries').click()
    await page.getByText('3 deliveries to this subscription failed from').waitFor()
    await expectAccessible(page)
    await button(page, 'Send 3 deliveries again').click()
    await page.waitForURL('**/webhooks/replays/*')
    await page.getByText('Done', { exact: true }).waitFor()
    await expectAccessible(page)
    await eventually(() => expect(endpoint.received.length).toBe(before + 3))
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Replays' }).click()
    await page.getByRole('link', { name: /3 deliveries that failed since/ }).waitFor()
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('sends all that waits for a retry once the endpoint works again, after it said how much', async () => {
    endpoint.respond((_received, response) => void response.writeHead(503, { 'retry-after': '3600' }).end())
    const id = await subscribe('/repaired')
    const params = { subscription_id: id }
    const counts = async () => (await send(onward.partner, getSubscription, { params })).deliveries
    for (let n = 0; n < 2; n++) await send(onward.partner, testSubscription, { params })
    const { page, problems } = await onward.open(`${HOME}/${id}`, 'developer')
    await page.getByText('Retrying').nth(1).waitFor()
    answers(204)
    await button(page, 'Send all pending …').click()
    const dialog = page.getByRole('dialog', { name: 'Send all pending deliveries now?' })
    await dialog.getByText(`sends 2 pending deliveries to ${shown(endpoint.url)}/repaired now`).waitFor()
    expect(await counts()).toMatchObject({ pending: 2 })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send now' }).click()
    await page.getByText(`2 deliveries are being sent to ${shown(endpoint.url)}/repaired`).waitFor()
    await eventually(async () => expect(await counts()).toMatchObject({ pending: 0, delivered: 2 }))
    await button(page, 'Send all pending …').waitFor({ state: 'hidden' })
    await send(onward.partner, disableSubscription, { params })
    expect(problems).toEqual([])
  })

  it('shows how far a replay is, and stops it', async () => {
    const { page, problems } = await onward.open('', 'developer')
    await page.waitForURL(`**/w/${WORKSPACE_ID}`)
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const job = {
      replay_id: 'r-1',
      deliveries: 1000,
      created_at: since,
      created_by: 'ann@example.com',
      subscription_id: null,
      since,
      until: since,
    }
    let stored = { ...job, status: 'running', replayed: 400, skipped: 0 }
    await page.route('**/console/api/**/replays/r-1', async (route) => {
      if (route.request().method() === 'DELETE') stored = { ...stored, status: 'aborted' }
      else if (stored.status === 'running') stored = { ...stored, replayed: Math.min(402, stored.replayed + 1) }
      await route.fulfill({ json: stored })
    })
    await page.goto(`${onward.consoleUrl}${HOME}/replays/r-1`)
    await page.getByText('402', { exact: true }).waitFor()
    await page.getByRole('progressbar', { name: 'Processed deliveries' }).waitFor()
    await expectAccessible(page)
    await button(page, 'Stop').click()
    await page.getByText('Stopped', { exact: true }).waitFor()
    await button(page, 'Stop').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  it('sends a selection again with the keyboard only, and skips what did not fail', async () => {
    const id = await subscribe('/keys')
    answers(500)
    await failedDeliveries(id, 2)
    answers(204)
    await send(onward.partner, testSubscription, { params: { subscription_id: id } })
    const { page, problems } = await onward.open(`${HOME}/${id}`, 'developer')
    await page.getByRole('row').nth(3).waitFor()
    for (let n = 0; n < 3; n++) {
      await page.keyboard.press('j')
      await page
        .getByRole('row')
        .nth(n + 1)
        .locator('[data-row]:focus')
        .waitFor()
      await page.keyboard.press('x')
    }
    await page.getByRole('toolbar', { name: '3 rows selected' }).waitFor()
    await button(page, 'Send again').press('Enter')
    await page.getByText('2 deliveries of your selection failed').waitFor()
    await button(page, 'Send 2 deliveries again').press('Enter')
    await page.getByText('2 deliveries sent again, 0 skipped.').waitFor()
    expect(problems).toEqual([])
  })

  it('rotates the secret with an overlap, disables and enables, and deletes after the host was typed', async () => {
    const id = await subscribe('/settings')
    const { page, problems } = await onward.open(`${HOME}/${id}/settings`, 'developer')
    await button(page, 'Rotate secret').click()
    await page.getByLabel('Keep the previous secret valid for').selectOption('1')
    await button(page, 'Create new secret').click()
    await page.getByText('The previous secret is valid until').waitFor()
    await page.getByLabel('I have stored it').check()
    await button(page, 'Done').click()
    await page.getByText(/^valid until/).waitFor()
    await expectAccessible(page)
    await button(page, 'Disable').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('This subscription is disabled: nothing is sent to it').waitFor()
    await button(page, 'Enable').click()
    await page.getByText('Webhooks are sent to this endpoint.').waitFor()
    await button(page, 'Delete subscription').click()
    await page.getByLabel(/^Type /).fill(new URL(endpoint.url).host)
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete subscription' }).click()
    await heading(page, 'Webhooks').waitFor()
    await expect(send(onward.partner, getSubscription, { params: { subscription_id: id } })).rejects.toThrow()
    await page.goto(`${onward.consoleUrl}${HOME}/${id}`)
    await page.getByText('Subscription not found').waitFor()
    expect(problems).toEqual([])
  })

  it('shows a viewer everything, and why nothing can be changed', async () => {
    const id = await subscribe('/seen')
    const { page, problems } = await onward.open(`${HOME}/${id}`, 'viewer')
    const test = button(page, 'Send test')
    await test.focus()
    await page.getByRole('tooltip', { name: /needs the role developer/ }).waitFor()
    expect(await test.getAttribute('aria-disabled')).toBe('true')
    await page.goto(`${onward.consoleUrl}${HOME}/${id}/settings`)
    for (const name of ['Rotate secret', 'Disable', 'Delete subscription']) {
      await button(page, name).waitFor()
      expect(await button(page, name).getAttribute('aria-disabled')).toBe('true')
    }
    await page.goto(`${onward.consoleUrl}system`)
    await page.getByText('Operators only').waitFor()
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('says that a list failed with the id of the request, reads it again, and fits 320 pixels', async () => {
    const id = await subscribe('/narrow')
    const { page } = await onward.open('', 'owner', { viewport: { width: 320, height: 640 } })
    await page.waitForURL(`**/w/${WORKSPACE_ID}`)
    await page.route('**/deliveries?*', (route) => route.fulfill(FAILED))
    await page.goto(`${onward.consoleUrl}${HOME}/${id}`)
    await page.getByText('r-77').waitFor()
    await expectFits(page)
    await page.unroute('**/deliveries?*')
    await button(page, 'Try again').click()
    await page.getByText('No deliveries in this period').waitFor()
    await expectFits(page)
    for (const path of [HOME, `${HOME}/${id}/settings`, `${HOME}/replays`]) {
      await page.goto(`${onward.consoleUrl}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectFits(page)
    }
  })
})
