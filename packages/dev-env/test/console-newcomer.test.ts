import { eventually } from '@onward/testbed'
import { describeWithBrowser } from './console-page.ts'
import { openProduct, type Product, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const HOME = `w/${WORKSPACE_ID}`
const USER = 'newcomer@example.com'

describeWithBrowser('a partner who has only the console', () => {
  let onward: Product
  beforeAll(async () => {
    onward = await openProduct()
  })
  afterEach(() => onward.closePages())
  afterAll(() => onward.close())

  it('goes from a new application to a call in the log, a limit and a webhook about it', async () => {
    const { page, problems } = await onward.open(`${HOME}/applications`, 'owner')
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })

    await button('Create application').click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Newcomer')
    const appKey = await page.getByRole('textbox', { name: 'App-Key' }).inputValue()
    await button('Create').click()
    await page.getByLabel('I have stored it').check()
    await button('Done').click()
    await page.getByRole('heading', { name: 'Next steps' }).waitFor()

    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByRole('button', { name: 'Create subscription' }).first().click()
    await page.getByLabel('Endpoint').fill(onward.receiver.url)
    await button('Create').click()
    await page.getByLabel('I have stored it').check()
    await button('Done').click()

    await page.goto(`${onward.consoleUrl}${HOME}/playground?app_key=${appKey}`)
    const user = page.getByRole('combobox', { name: 'User' })
    await user.fill(USER)
    await user.press('Enter')
    await page.getByRole('combobox', { name: 'Function' }).fill('list contacts')
    await page.getByRole('option', { name: /^addressbook-list-contacts/ }).click()
    const opened = page.context().waitForEvent('page')
    await button('Connect Address book').click()
    const tab = await opened
    await tab.getByLabel('Server URL').fill(onward.book.url)
    await tab.getByLabel('API key', { exact: true }).fill(onward.book.apiKey)
    await tab.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('Connected:').first().waitFor()
    await tab.close()
    await button('Run').click()
    await page.getByText('Status 200 after').waitFor()

    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('link', { name: USER }).click()
    await button('Set limit').click()
    const limit = page.getByRole('dialog').getByLabel('Limit', { exact: true })
    await limit.fill('1')
    await limit.press('Enter')
    await eventually(() => expect(onward.receiver.received.map(({ event }) => event)).toContain('user_tasks_limit_100'))
    expect(onward.receiver.received[0]?.body).toMatchObject({ user_id: USER, tasks_consumed: 1, current_limit: 1 })

    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await page.getByRole('link', { name: /addressbook-list-contacts/ }).click()
    await page.getByText('Counted').first().waitFor()
    expect(problems).toEqual([])
  })
})
