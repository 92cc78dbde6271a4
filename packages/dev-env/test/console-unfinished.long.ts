import { callFunction, listApplications, listInsightsApplications, putApplication, putInsightsApplication } from '@onward/contract'
import { functionsClient, send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import { describeWithBrowser, expectAccessible, takeSecret } from './console-page.ts'
import { openProduct, type Product, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const APPLICATIONS = `w/${WORKSPACE_ID}/applications`
const IN_WORKSPACE = { query: { workspace_id: WORKSPACE_ID } }

describeWithBrowser('applications that only one service knows, in Chromium', () => {
  let onward: Product
  beforeAll(async () => {
    onward = await openProduct()
  })
  afterEach(() => onward.closePages())
  afterAll(() => onward.close())

  const inFunctions = async (appKey: string) =>
    (await send(onward.functionsAdmin, listApplications, IN_WORKSPACE)).applications.find(({ app_key }) => app_key === appKey)
  const inInsights = async (appKey: string) =>
    (await send(onward.insightsAdmin, listInsightsApplications, IN_WORKSPACE)).applications.find(({ app_key }) => app_key === appKey)
  const call = (appKey: string, appSecret: string) =>
    send(functionsClient({ url: onward.functions[0]?.url ?? '', appKey, appSecret, userId: 'ada' }), callFunction, {
      params: { function_name: 'addressbook-list-contacts' },
      body: {},
    })

  it('shows the secret of an application that insights could not assign, and completes it', async () => {
    const { page, problems } = await onward.open(APPLICATIONS, 'developer')
    let tries = 0
    await page.route('**/console/api/insights/admin/applications/half', (route) => {
      tries++
      return route.abort()
    })
    await page.getByRole('button', { name: 'Create application' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Half')
    await page.getByRole('textbox', { name: 'App-Key' }).fill('half')
    const create = page.getByRole('button', { name: 'Create', exact: true })
    // The second try finds the application in functions, which does not return the secret again.
    for (const number of [1, 2]) {
      await create.click()
      // The dialog cannot be closed during a try.
      await eventually(async () => expect([tries, await create.getAttribute('aria-busy')]).toEqual([number, null]))
      await page.getByText('Onward could not be reached.').waitFor()
    }
    await page.getByRole('button', { name: 'Cancel' }).click()
    const secret = await takeSecret(page, 'App secret of Half')
    await page.getByText('This application is incomplete').waitFor()
    await expectAccessible(page)
    expect([(await inFunctions('half'))?.name, await inInsights('half')]).toEqual(['Half', undefined])
    await page.unroute('**/console/api/insights/admin/applications/half')
    await page.getByRole('button', { name: 'Finish creating' }).click()
    await page.getByText('This application is incomplete').waitFor({ state: 'detached' })
    expect(await inInsights('half')).toMatchObject({ limit_period: 30, on_limit: 'allow' })
    await expect(call('half', secret)).rejects.toMatchObject({ code: 'account_not_connected' })
    expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([])
  })

  it('stores the limits of an application that only functions knows', async () => {
    await send(onward.functionsAdmin, putApplication, { params: { app_key: 'alone' }, body: { workspace_id: WORKSPACE_ID, name: 'Alone' } })
    const { page, problems } = await onward.open(`${APPLICATIONS}/alone/settings`, 'developer')
    const limits = page.getByRole('form', { name: 'Task limits' })
    await limits.getByLabel('Period in days').fill('7')
    await limits.getByRole('button', { name: 'Save changes' }).click()
    await eventually(async () => expect(await inInsights('alone')).toMatchObject({ limit_period: 7 }))
    expect(problems).toEqual([])
  })

  it('completes an application that only insights knows', async () => {
    await send(onward.insightsAdmin, putInsightsApplication, { params: { app_key: 'rest' }, body: { workspace_id: WORKSPACE_ID } })
    const { page, problems } = await onward.open(`${APPLICATIONS}/rest`, 'developer')
    await page.getByText('This application is incomplete').waitFor()
    await page.getByRole('button', { name: 'Finish creating' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Whole')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await takeSecret(page, 'App secret of Whole')
    await page.getByRole('heading', { name: 'Whole', level: 1, exact: true }).waitFor()
    expect(problems).toEqual([])
  })
})
