import { callFunction, getUserTasks, listCalls, putInsightsApplication, setUserLimits } from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import { type Functions, openBothAreas } from './both-areas.ts'

const LIMIT = 5
const params = { app_key: 'ak' }

let onward: Awaited<ReturnType<typeof openBothAreas>>
let first: Functions
let second: Functions

beforeAll(async () => {
  onward = await openBothAreas(2)
  ;[first, second] = onward.functions as [Functions, Functions]
  await onLimit('block')
})

afterAll(async () => await onward.close(), 60_000)

const onLimit = (on_limit: 'allow' | 'block') =>
  send(onward.insightsAdmin, putInsightsApplication, { params, body: { workspace_id: 'w', on_limit } })
const setLimit = (allowed_tasks: number) =>
  send(onward.partner, setUserLimits, { query: params, body: [{ user_id: onward.userId, allowed_tasks }] })
const call = (functions: Functions) =>
  send(onward.clientOf(functions), callFunction, { params: { function_name: 'addressbook-get-contact' }, body: { contact_id: 1 } })

const refuses = (functions: Functions) =>
  eventually(async () => {
    const err = await call(functions).then(
      () => undefined,
      (reason: { code: string; status: number; headers: Record<string, unknown> }) => reason,
    )
    expect(err).toMatchObject({ status: 429, code: 'task_limit_reached' })
    // A period has thirty days.
    expect(Math.abs(Number(err?.headers['retry-after']) - 30 * 86_400)).toBeLessThan(3_600)
  })

describe('a limit that blocks', () => {
  it('stops calls in every process of functions until it is raised, and every executed call is counted', async () => {
    await setLimit(LIMIT)
    for (let i = 0; i < LIMIT; i++) await call(i % 2 === 0 ? first : second)
    await refuses(first)
    await refuses(second)

    const executed = onward.thirdParty.received.length
    for (let i = 0; i < 10; i++) await expect(call(first)).rejects.toMatchObject({ code: 'task_limit_reached' })
    expect(onward.thirdParty.received).toHaveLength(executed)
    const { calls } = await send(onward.clientOf(first), listCalls, { body: { page_size: 200 } })
    expect(calls).toHaveLength(executed)
    await eventually(async () => {
      const status = await send(onward.partner, getUserTasks, { params: { id: onward.userId }, query: params })
      expect(status).toMatchObject({ tasks_consumed: executed, current_limit: LIMIT })
    })

    await setLimit(executed + 2)
    await eventually(() => call(first))
    await eventually(() => call(second))
    await refuses(second)
    await onLimit('allow')
    await eventually(() => call(first))
    await eventually(() => call(second))
  })
})
