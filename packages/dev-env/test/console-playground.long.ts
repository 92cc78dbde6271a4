import { listApprovals, listOwnAccounts, type PolicyRule, putApp, putPolicy, putSuspension, readCall, readCalls } from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import type { Page } from 'playwright-core'
import { APP_KEY } from './both-areas.ts'
import { describeWithBrowser, expectAccessible, expectFits } from './console-page.ts'
import { openProduct, type Product, USER_ID, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const PLAYGROUND = `w/${WORKSPACE_ID}/playground`
const SECRET = 'sk_live_4f9c2e7b1d8a6053e2'

const playground = (fn: string, user = USER_ID) => `${PLAYGROUND}?${new URLSearchParams({ user, function: fn })}`
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name })
const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check()
const storage = (page: Page) => page.evaluate('JSON.stringify([localStorage, sessionStorage, history.state, location.href])')

let onward: Product

/** An app whose payments are from a card or a bank account, and go to people or shops. */
function payments(name: string) {
  const text = (description: string) => ({ type: 'string', description })
  const receiver = {
    type: 'object',
    properties: { email: text('Address of a person.'), shop_id: text('Id of a shop.') },
    alternatives: [
      { title: 'Person', properties: ['email'] },
      { title: 'Shop', properties: ['shop_id'] },
    ],
  }
  const parameters = {
    properties: {
      type: { ...text('What pays.'), enum: ['card', 'bank'] },
      number: text('Number of the card.'),
      iban: text('Number of the bank account.'),
      receivers: { type: 'array', items: receiver, description: 'Who is paid.' },
    },
    required: ['type', 'receivers'],
    alternatives: [
      { title: 'Card', properties: ['type', 'number', 'receivers'], values: { type: 'card' } },
      { title: 'Bank account', properties: ['type', 'iban', 'receivers'], values: { type: 'bank' } },
    ],
  }
  const body = { type: '{type}', number: '{number}', iban: '{iban}', receivers: '{receivers}' }
  const create = {
    ...{ title: 'Create payment', description: 'Creates a payment.', type: 'ACTION' },
    ...{ parameters, request: { method: 'POST', path: '/payments', body } },
  }
  return {
    ...{ name, title: 'Elm', description: 'Payments.', base_url: 'https://elm.example.com', auth: { type: 'bearer' } },
    functions: { 'create-payment': create },
  }
}

/** The ids of a user's calls. */
async function calledBy(userId: string): Promise<string[]> {
  return (await send(onward.functionsAdmin, readCalls, { query: { user_id: userId } })).calls.map(({ id }) => id)
}

describeWithBrowser('the playground in Chromium', () => {
  beforeAll(async () => {
    onward = await openProduct()
  })
  afterEach(() => onward.closePages())
  afterAll(() => onward.close())

  it('leads a developer from a new User-ID to a connected account and a first call, which is in the log', async () => {
    const { page, problems } = await onward.open(PLAYGROUND, 'developer')
    const user = page.getByRole('combobox', { name: 'User' })
    await user.fill('newcomer@example.com')
    await user.press('Enter')
    await page.getByRole('combobox', { name: 'Function' }).fill('list contacts')
    await page.getByRole('option', { name: /^addressbook-list-contacts/ }).click()
    const opened = page.context().waitForEvent('page')
    await button(page, 'Connect Address book').click()
    const tab = await opened
    await tab.getByLabel('Server URL').fill(onward.book.url)
    await tab.getByLabel('API key', { exact: true }).fill(onward.book.apiKey)
    await button(tab, 'Connect').click()
    await page.getByText('Connected:').first().waitFor()
    await tab.close()
    await page.getByText('counts as one task of newcomer@example.com').waitFor()
    await button(page, 'Run').click()
    await page.getByText('Status 200 after').waitFor()
    await page.getByRole('tree', { name: 'Response' }).waitFor()
    const link = page.getByRole('link', { name: 'Open in Calls' })
    const id = /[?&]call=([0-9a-f-]{36})$/.exec((await link.getAttribute('href')) ?? '')?.[1]
    await eventually(async () => expect(await calledBy('newcomer@example.com')).toEqual([id]))
    expect(problems).toEqual([])
  })

  it('shows the request without sending it and without secrets, and the same call as code', async () => {
    const { page, problems } = await onward.open(playground('addressbook-list-contacts', 'previewer@example.com'), 'developer')
    await onward.connect('previewer@example.com')
    await page.reload()
    await field(page, /^Search search/).fill("Ada's")
    await field(page, /^Page size/).fill('2')
    await button(page, 'Preview request').click()
    const request = page.getByRole('region', { name: 'Request to the app' })
    await request.waitFor()
    expect(await request.textContent()).toMatch(/GET http:.*\/contacts\?search=Ada.*&page_size=2\n/)
    expect(await request.textContent()).toMatch(/x-api-key: \[redacted\]/i)
    expect(await page.content()).not.toContain(onward.book.apiKey)
    await page.getByText('The rules allow this call.').waitFor()
    const setRules = (rules: PolicyRule[]) => send(onward.functionsAdmin, putPolicy, { params: { app_key: APP_KEY }, body: { rules } })
    for (const [result, text] of [
      ['ask', 'A rule requires approval for this call.'],
      ['deny', 'A rule denies this call.'],
    ] as const) {
      await setRules([{ functions: ['addressbook-list-contacts'], result, message: `Rule: ${result}.` }])
      await button(page, 'Preview request').click()
      await page.getByText(text).waitFor()
      await page.getByText(`Rule: ${result}.`).waitFor()
    }
    await setRules([])
    await choose(page, 'Code')
    const code = page.getByRole('region', { name: 'Code of this call' })
    expect(await code.textContent()).toContain('"page_size": 2')
    await choose(page, 'Python')
    await code.getByText('onward.for_user("previewer@example.com")').waitFor()
    expect(await code.textContent()).toContain('ONWARD_APP_SECRET')
    expect(await calledBy('previewer@example.com')).toEqual([])
    expect(problems).toEqual([])
  })

  it('says what rules, approvals and suspensions stop, and links to them, without blaming the app or the arguments', async () => {
    const user = 'stopped@example.com'
    await onward.connect(user)
    const { page, problems } = await onward.open(playground('addressbook-get-owner', user), 'owner')
    const setRules = (rules: PolicyRule[]) => send(onward.functionsAdmin, putPolicy, { params: { app_key: APP_KEY }, body: { rules } })
    const suspend = (body: { state: 'active' | 'suspended' | 'read_only'; reason?: string; app_key?: string; user_id?: string }) =>
      send(onward.functionsAdmin, putSuspension, { body: { workspace_id: WORKSPACE_ID, ...body } })
    const alert = page.getByRole('alert')
    const run = async (title: string) => {
      await page.getByRole('button', { name: /^Run( again)?$/ }).click()
      await alert.getByText(title, { exact: true }).waitFor()
      await alert.getByText(/^(Suspended by an operator\. )?Nothing was sent to the app\./).waitFor()
      expect(await alert.textContent()).not.toMatch(/failed|arguments\.? are|Check the|Retry/i)
      await expectAccessible(page)
    }
    const leadsTo = async (name: string) => await alert.getByRole('link', { name, exact: true }).getAttribute('href')

    await setRules([{ functions: ['addressbook-get-owner'], result: 'ask', message: 'A person decides.' }])
    await run('Waits for approval')
    await alert.getByText('A person decides.').waitFor()
    const rules = `/console/w/${WORKSPACE_ID}/rules?app_key=${APP_KEY}`
    expect(await leadsTo('Open rule 1 of the application')).toBe(rules)
    const { approvals } = await send(onward.clientOf(user), listApprovals, { body: {} })
    expect(await leadsTo('Open the approval')).toContain(`approval=${approvals[0]?.id}`)

    await setRules([
      { result: 'deny', types: ['ACTION'] },
      { functions: ['addressbook-get-owner'], result: 'deny', message: 'Not for this.' },
    ])
    await run('A rule denies this call.')
    await alert.getByText('Not for this.').waitFor()
    expect(await leadsTo('Open rule 2 of the application')).toBe(rules)
    await setRules([])

    await suspend({ app_key: APP_KEY, user_id: user, state: 'suspended', reason: 'Unusual activity.' })
    await run('The user is suspended')
    await alert.getByText('Reason: Unusual activity.').waitFor()
    expect(await leadsTo('Open the user')).toBe(`/console/w/${WORKSPACE_ID}/users/${APP_KEY}/${encodeURIComponent(user)}`)
    await suspend({ app_key: APP_KEY, user_id: user, state: 'active' })

    await suspend({ state: 'suspended', reason: 'Unpaid invoice.' })
    await run('The workspace is suspended')
    await alert.getByText('Reason: Unpaid invoice.').waitFor()
    expect(await leadsTo('Open the workspace')).toBe(`/console/w/${WORKSPACE_ID}/settings`)
    await suspend({ state: 'active' })
    expect(problems).toEqual([])
  })

  it('returns only the parts of the response that are asked for, and has them in the code', async () => {
    const { page, problems } = await onward.open(playground('addressbook-get-owner'), 'developer')
    await page.getByText('Response fields').click()
    const parts = field(page, /^Paths/)
    await parts.fill('name, phone.home')
    await button(page, 'Run').click()
    await page.getByText('Not in the response: phone.home.').waitFor()
    const response = page.getByRole('tree', { name: 'Response' })
    expect(await response.textContent()).toContain('name')
    expect(await response.textContent()).not.toContain('email')
    await choose(page, 'Code')
    await page.getByRole('region', { name: 'Code of this call' }).getByText('"phone.home"').waitFor()
    await parts.fill('name..x')
    await button(page, 'Run again').click()
    await page.locator('input[aria-invalid]').waitFor()
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('calls with the chosen account, has it in the code, and keeps it over a reload', async () => {
    await onward.connect('two@example.com')
    await onward.connect('two@example.com')
    const { connected_accounts: own } = await send(onward.clientOf('two@example.com'), listOwnAccounts, { body: {} })
    const oldest = Math.min(...own.map(({ id }) => id))
    const { page, problems } = await onward.open(playground('addressbook-get-owner', 'two@example.com'), 'developer')
    const account = page.getByRole('combobox', { name: 'Account', exact: true })
    await account.selectOption(String(oldest))
    await page.waitForURL(`**&account=${oldest}`)
    await page.reload()
    await eventually(async () => expect(await account.inputValue()).toBe(String(oldest)))
    await choose(page, 'Code')
    const code = page.getByRole('region', { name: 'Code of this call' })
    await code.getByText(`?connected_account_id=${oldest}`).waitFor()
    await expectAccessible(page)
    await button(page, 'Run').click()
    await page.getByText('Status 200 after').waitFor()
    const [callId = ''] = await calledBy('two@example.com')
    const call = await send(onward.functionsAdmin, readCall, { params: { call_id: callId }, query: {} })
    expect(call.connected_account_id).toBe(oldest)
    const user = page.getByRole('combobox', { name: 'User' })
    await user.fill(USER_ID)
    await user.press('Enter')
    await eventually(() => expect(page.url()).not.toContain('account='))
    expect(problems).toEqual([])
  })

  it('ranks the functions for a prompt, and says where each argument came from', async () => {
    const { page, problems } = await onward.open(`${PLAYGROUND}?user=${USER_ID}`, 'developer')
    await choose(page, 'Prompt')
    await page.getByRole('textbox', { name: 'Prompt' }).fill('add a contact with email ada@example.com to my address book')
    await button(page, 'Predict').click()
    const best = page.getByRole('listitem').filter({ hasText: 'addressbook-create-contact' })
    await best.getByText('“ada@example.com” in the prompt').waitFor()
    expect(await page.getByRole('list', { name: 'Predicted functions' }).getByRole('listitem').count()).toBeGreaterThan(1)
    expect(await field(page, /^Email email/).inputValue()).toBe('ada@example.com')
    await page.waitForURL('**function=addressbook-create-contact**')

    await page.getByRole('textbox', { name: 'Prompt' }).fill('draw a diagram in Miro')
    await button(page, 'Predict').click()
    await page.getByText('There is no app Miro. Name the app and what to do, or choose a function.').waitFor()
    await page.getByText(/^Closest match: /).waitFor()
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('says what is missing before it sends anything, and what the service refuses at its field', async () => {
    const { page } = await onward.open(playground('addressbook-create-contact'), 'developer')
    await button(page, 'Run').click()
    const name = field(page, /^Name name/)
    await page.getByText('is required').first().waitFor()
    await eventually(async () => expect(await page.evaluate(`document.activeElement?.getAttribute('aria-invalid')`)).toBe('true'))
    await name.fill('Ada')
    await field(page, /^Email email/).fill('nobody')
    await button(page, 'Run').click()
    await page.getByText('The call was not executed.').waitFor()
    await eventually(async () => expect(await field(page, /^Email email/).getAttribute('aria-invalid')).toBe('true'))
  })

  it('fills the form from an earlier call, marks what was removed from it, and says that it is a new call', async () => {
    const { callId } = await onward.call(USER_ID, 'addressbook-list-contacts', { search: onward.book.apiKey, page_size: 3 })
    const { page, problems } = await onward.open(`${PLAYGROUND}?call=${callId}`, 'developer')
    await page.getByText('Running it makes a new call, which counts as one task.').waitFor()
    await page.getByText('Not in the log because they may be secret. Enter them again: search.').waitFor()
    expect(await field(page, /^Page size/).inputValue()).toBe('3')
    expect(await page.getByRole('combobox', { name: 'User' }).inputValue()).toBe(USER_ID)
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('keeps the form over a reload, except what may be secret', async () => {
    const { page } = await onward.open(playground('addressbook-create-contact'), 'developer')
    await field(page, /^Name name/).fill('Ada Lovelace')
    await field(page, /^Phone phone/).fill(SECRET)
    await page.reload()
    await page.getByText('Values that may be secret were removed').waitFor()
    expect(await field(page, /^Name name/).inputValue()).toBe('Ada Lovelace')
    expect(await field(page, /^Phone phone/).inputValue()).toBe('')
    expect(await storage(page)).not.toContain(SECRET)
  })

  it('loads the choices of a field from its source function when asked', async () => {
    const { page, problems } = await onward.open(playground('addressbook-create-contact'), 'developer')
    await button(page, 'Load choices').click()
    const group = page.getByRole('combobox', { name: /^Group group/ })
    await button(page, 'Load choices').waitFor({ state: 'detached' })
    await group.click()
    await page.getByRole('option', { name: /family/i }).click()
    await choose(page, 'JSON')
    expect(JSON.parse(await page.getByRole('textbox', { name: 'Arguments as JSON' }).inputValue())).toEqual({ group: 'family' })
    expect(problems).toEqual([])
  })

  it('lets only an owner call a destructive function, and asks first', async () => {
    const path = playground('addressbook-passthrough-request')
    const developer = await onward.open(path, 'developer')
    const refused = button(developer.page, 'Run')
    await eventually(async () => expect(await refused.getAttribute('aria-disabled')).toBe('true'))
    await refused.focus()
    await developer.page.getByRole('tooltip').filter({ hasText: 'Only owners can call' }).waitFor()

    const { page, problems } = await onward.open(path, 'owner')
    await page.getByRole('combobox', { name: /^Method method/ }).selectOption('GET')
    await field(page, /^Path path|^Url url|^URL/)
      .first()
      .fill('/owner')
    await button(page, 'Run').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/It is called for joe@example.com with the account/).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button').last().click()
    await page.getByText('Status 200 after').waitFor()
    expect(problems).toEqual([])
  })

  it('shows a viewer the form and the code, but calls nothing', async () => {
    const { page, problems } = await onward.open(playground('addressbook-list-contacts'), 'viewer')
    await field(page, /^Search search/).waitFor()
    for (const name of ['Run', 'Preview request']) expect(await button(page, name).getAttribute('aria-disabled')).toBe('true')
    await button(page, 'Run').focus()
    await page.getByRole('tooltip').filter({ hasText: 'needs the role developer' }).waitFor()
    expect(problems).toEqual([])
  })

  it('has an input for a time in the zone that is shown, sends it in UTC, and numbers the items of a list', async () => {
    const { page, problems } = await onward.open('system', 'developer', { timezoneId: 'Asia/Tokyo' })
    await page.route('**/functions/addressbook-create-contact/get?**', async (route) => {
      const fn = await (await route.fetch()).json()
      fn.parameters.properties.email.format = 'date-time'
      await route.fulfill({ json: fn })
    })
    await page.goto(`${onward.consoleUrl}${playground('addressbook-create-contact')}`)
    await field(page, /^Name name/).fill('Ada')
    await page.locator('input[type="datetime-local"]').fill('2026-01-31T18:00')
    await page.getByText('GMT+9', { exact: true }).waitFor()
    for (const item of ['Tags, item 1', 'Tags, item 2']) {
      await page.getByRole('button', { name: 'Add to Tags' }).click()
      await page.getByText(item, { exact: true }).waitFor()
    }
    await choose(page, 'JSON')
    await page.getByText('2026-01-31T09:00:00.000Z').waitFor()
    expect(problems).toEqual([])
  })

  it('offers the kinds of an object, shows the fields of the chosen one, and sends none of another', async () => {
    await send(onward.functionsAdmin, putApp, { params: { name: 'elm' }, body: { file: payments('elm') } })
    const { page, problems } = await onward.open(playground('elm-create-payment'), 'developer')
    const kind = page.getByRole('combobox', { name: 'Type', exact: true })
    await kind.first().waitFor()
    expect(await field(page, /^(Number|Iban|Type) /).count()).toBe(0)
    await kind.first().selectOption('Card')
    await field(page, /^Number number/).fill('4242')
    await kind.first().selectOption('Bank account')
    await field(page, /^Iban iban/).fill('DE02')
    expect(await field(page, /^Number number/).count()).toBe(0)
    await button(page, 'Add to Receivers').click()
    await kind.nth(1).selectOption('Person')
    await field(page, /^Email email/).fill('ada@example.com')
    await expectAccessible(page)
    await choose(page, 'JSON')
    const sent = { type: 'bank', iban: 'DE02', receivers: [{ email: 'ada@example.com' }] }
    expect(JSON.parse(await field(page, 'Arguments as JSON').inputValue())).toEqual(sent)
    await choose(page, 'Form')
    await eventually(async () => expect(await kind.first().inputValue()).toBe('Bank account'))
    await button(page, 'Clear the form').click()
    await eventually(async () => expect(await kind.first().inputValue()).toBe(''))
    expect(problems).toEqual([])
  })

  it('says why a function cannot be read, and reads it again on request', async () => {
    const { page } = await onward.open(PLAYGROUND, 'developer')
    const failing = '**/functions/addressbook-list-contacts/get?**'
    const body = { error: 'the service is busy', error_details: [], code: 'internal_error', request_id: 'request-of-the-test' }
    await page.route(failing, (route) => route.fulfill({ status: 500, json: body }))
    await page.goto(`${onward.consoleUrl}${playground('addressbook-list-contacts')}`)
    await page.getByText('request-of-the-test').waitFor()
    await page.unroute(failing)
    await button(page, 'Try again').click()
    await field(page, /^Search search/).waitFor()
  })

  it('works with the keyboard alone, and in a window of 320 pixels', async () => {
    const { page, problems } = await onward.open(`${PLAYGROUND}?user=${USER_ID}`, 'developer', { viewport: { width: 320, height: 640 } })
    const fn = page.getByRole('combobox', { name: 'Function' })
    await fn.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: /^addressbook-get-owner/ }).waitFor()
    await expectAccessible(page)
    await page.keyboard.type('who owns the address book')
    const first = page.getByRole('listbox').getByRole('option').first()
    await eventually(async () => expect(await first.textContent()).toContain('addressbook-get-owner'))
    await page.keyboard.press('Enter')
    await button(page, 'Run').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Status 200 after').waitFor()
    await expectFits(page)
    await expectAccessible(page)
    expect(problems).toEqual([])
  })
})
