import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { deleteApplication, getPolicy, putApplication, putPolicy, type ResponseOf } from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import type { Page } from 'playwright-core'
import { APP_KEY } from './both-areas.ts'
import { changeBeforePut, describeWithBrowser, expectAccessible, expectFits } from './console-page.ts'
import { openProduct, type Product, USER_ID, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

type Rules = ResponseOf<typeof getPolicy>['rules']

const RULES = `w/${WORKSPACE_ID}/rules?app_key=${APP_KEY}`
const OF_APPLICATION = { params: { app_key: APP_KEY } }
const PICTURES = join(process.cwd(), '.onward/pictures')
const LIST = 'addressbook-list-contacts'

describeWithBrowser('the rules of an application in Chromium', () => {
  let onward: Product
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true })
    onward = await openProduct()
    for (const page_size of [1, 2, 50]) await onward.call(USER_ID, LIST, { page_size })
  })
  afterEach(() => onward.closePages())
  afterAll(() => onward.close())

  const stored = async () => (await send(onward.functionsAdmin, getPolicy, OF_APPLICATION)).rules
  const store = (rules: Rules) => send(onward.functionsAdmin, putPolicy, { ...OF_APPLICATION, body: { rules: [...rules] } })
  const ruleButtons = (page: Page) => page.getByRole('button', { name: /^Rule \d/ })

  it('are built with pickers and presets, tested against the calls in the log, and saved', async () => {
    await store([])
    const { page, problems } = await onward.open(RULES, 'owner')
    await page.getByText('No rules yet').waitFor()
    await page.getByRole('button', { name: 'Add a rule' }).click()
    const passthrough = page.getByText('The rule also applies to the pass-through function of the app')
    await page.getByRole('radio', { name: 'Allow' }).check()
    expect(await passthrough.count()).toBe(0)
    await page.getByRole('radio', { name: 'Deny' }).check()
    await passthrough.waitFor()
    await page.getByRole('combobox', { name: 'Functions' }).fill('list contacts')
    await page.getByRole('option', { name: LIST }).click()
    await page.getByRole('button', { name: 'Lock an argument' }).click()
    await page.getByText('Enter an argument and a value.').waitFor()
    await page.getByRole('button', { name: 'Save rules', disabled: true }).waitFor()
    await page.getByRole('button', { name: 'Remove Locked argument 1' }).click()
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByLabel('Condition 1: argument').fill('page_size')
    await page.getByLabel('Condition 1: comparison').selectOption('is at least')
    await page.getByLabel('Condition 1: value').fill('10')
    await page.getByRole('textbox', { name: /^Message/ }).fill('Small pages only.')
    await page.getByRole('button', { name: `Rule 1: Deny ${LIST} · page_size at least 10` }).waitFor()
    await page.getByRole('button', { name: 'Test against the last 1,000 calls' }).click()
    await page.getByRole('heading', { name: 'Test result' }).waitFor()
    const examples = page.getByRole('table', { name: 'Newest calls that would need approval or be refused' })
    await eventually(async () => expect(await examples.getByRole('row').count()).toBe(2))
    expect(await examples.getByRole('row').last().textContent()).toMatch(/addressbook-list-contacts.*Deny.*Rule 1/)
    await page.setViewportSize({ width: 1280, height: 1600 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await expectAccessible(page, colorScheme)
      await page.screenshot({ path: join(PICTURES, `rules-${colorScheme}.png`) })
    }
    expect(await stored()).toEqual([])
    await page.getByRole('button', { name: 'Save rules' }).click()
    const condition = { properties: { page_size: { type: 'number', minimum: 10 } }, required: ['page_size'] }
    const rule = { result: 'deny', functions: [LIST], arguments: condition, message: 'Small pages only.' }
    await eventually(async () => expect(await stored()).toEqual([rule]))
    await expect(onward.call(USER_ID, LIST, { page_size: 50 })).rejects.toMatchObject({ code: 'denied_by_policy' })
    expect(problems).toEqual([])
  })

  it('move by keyboard without losing the focus, and show what the service refuses at the rule', async () => {
    await store([{ result: 'deny', types: ['ACTION'] }, { result: 'ask', destructive: true }, { result: 'allow' }])
    const { page, problems } = await onward.open(RULES, 'owner')
    const summaries = async () => (await ruleButtons(page).allTextContents()).map((text) => text.replace(/^Rule \d: /, ''))
    const start = ['Denyactions', 'Require approvaldestructive functions', 'Allowall calls']
    await eventually(async () => expect(await summaries()).toEqual(start))
    await page.getByRole('button', { name: 'Move rule 1 down' }).press('Enter')
    await eventually(async () => expect(await summaries()).toEqual([start[1], start[0], start[2]]))
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Move rule 2 down')
    await page.keyboard.press('Enter')
    await eventually(async () => expect(await summaries()).toEqual([start[1], start[2], start[0]]))
    await page.getByText('Now rule 3 of 3').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Move rule 3 up' }).press('Enter')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Move rule 2 up')
    await page.getByRole('radio', { name: 'JSON' }).check()
    const json = page.getByLabel('Rules as JSON')
    await json.fill('{"rules": [{"result": "perhaps"}]}')
    await page.getByText('Must be an object with a list of rules').waitFor()
    expect(await page.getByRole('button', { name: 'Save rules' }).getAttribute('aria-disabled')).toBe('true')
    await json.fill('{"rules": [{"result": "deny", "functions": ["addressbook-list-contact"]}]}')
    await page.getByRole('radio', { name: 'Builder' }).check()
    await page.getByRole('button', { name: 'Save rules' }).click()
    await page.getByRole('alert').filter({ hasText: 'did you mean addressbook-list-contacts' }).first().waitFor()
    await expectAccessible(page)
    // A problem names a rule by its place, so it goes away when the rules change.
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await page.getByRole('alert').first().waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  it('are shown in both versions when somebody else has saved others, and the owner chooses', async () => {
    await store([{ result: 'ask', message: 'first' }])
    const { page, problems } = await onward.open(RULES, 'owner')
    await page.getByRole('radio', { name: 'JSON' }).check()
    const json = page.getByRole('textbox', { name: /^Rules as JSON/ })
    const save = page.getByRole('button', { name: 'Save rules' })
    await json.fill('{"rules":[{"result":"deny","message":"mine"}]}')
    await changeBeforePut(page, '**/admin/applications/*/policy', () => store([{ result: 'ask', message: 'theirs' }]))
    await save.click()
    await page.getByText('Somebody else saved different values while you were editing').waitFor()
    await page.getByRole('definition').filter({ hasText: 'theirs' }).waitFor()
    await page.getByRole('definition').filter({ hasText: 'mine' }).waitFor()
    expect(await stored()).toEqual([{ result: 'ask', message: 'theirs' }])
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await save.click()
    await eventually(async () => expect(await stored()).toEqual([{ result: 'deny', message: 'mine' }]))
    expect(problems).toEqual([])
  })

  it('have a page in the menu, which is also reached from an application and asks for one if there are several', async () => {
    await store([{ result: 'ask', destructive: true }])
    const second = { params: { app_key: 'ak-second' } }
    await send(onward.functionsAdmin, putApplication, { ...second, body: { workspace_id: WORKSPACE_ID, name: 'Second' } })
    const { page, problems } = await onward.open(`w/${WORKSPACE_ID}/applications/${APP_KEY}/rules`, 'owner')
    await page.waitForURL(`**/${RULES}`)
    await ruleButtons(page).first().waitFor()
    await page.getByRole('button', { name: 'Remove rule 1' }).click()
    const filter = page.getByLabel('Application', { exact: true })
    await filter.selectOption('Second')
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('No rules yet').waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await filter.selectOption('All applications')
    await page.getByRole('heading', { name: 'Choose an application' }).waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    // The workspace is in the menu, so that the application has room.
    expect((await filter.boundingBox())?.width).toBeGreaterThan(140)
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await page.getByRole('dialog', { name: 'Main menu' }).getByRole('button', { name: 'Workspace: Acme' }).click()
    await page.getByRole('dialog', { name: 'Workspaces' }).getByRole('link', { name: 'Acme' }).click()
    await page.getByRole('dialog', { name: 'Main menu' }).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Shop' }).click()
    await ruleButtons(page).first().waitFor()
    await page.goto(`${onward.consoleUrl}w/${WORKSPACE_ID}/applications/ak-second`)
    await page.getByRole('link', { name: 'Rules for calls' }).click()
    await page.getByText('No rules yet').waitFor()
    await send(onward.functionsAdmin, deleteApplication, second)
    expect(problems).toEqual([])
  })

  it('are not lost without a question, and can be tried but not saved by a viewer', async () => {
    await store([{ result: 'ask', destructive: true }])
    const { page, problems } = await onward.open(RULES, 'viewer')
    await ruleButtons(page).first().waitFor()
    await page.getByRole('button', { name: 'Remove rule 1' }).click()
    await page.getByText('No rules yet').waitFor()
    const save = page.getByRole('button', { name: 'Save rules' })
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await save.focus()
    await page.getByRole('tooltip', { name: 'This needs the role owner.' }).waitFor()
    await page.getByRole('button', { name: 'Test against the last 1,000 calls' }).click()
    await page.getByRole('heading', { name: 'Test result' }).waitFor()
    const other = page.getByRole('link', { name: 'Playground' })
    await other.click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('No rules yet').waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await expectFits(page)
    expect(await page.getByRole('button', { name: 'Remove rule 1' }).boundingBox()).toMatchObject({ width: 44, height: 44 })
    const number = await page.getByRole('list', { name: 'Rules in their order' }).getByText('1', { exact: true }).boundingBox()
    const rule = await ruleButtons(page).first().boundingBox()
    expect(rule?.y).toBeLessThan((number?.y ?? 0) + (number?.height ?? 0))
    await page.screenshot({ path: join(PICTURES, 'rules-phone.png') })
    await page.setViewportSize({ width: 1280, height: 800 })
    await other.click()
    await dialog.getByRole('button', { name: 'Discard and leave' }).click()
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor()
    expect(await stored()).toEqual([{ result: 'ask', destructive: true }])
    expect(problems).toEqual([])
  })
})
