import {
  calledOf,
  callFunction,
  createSubscription,
  deleteSubscription,
  getUserTasks,
  listCalls,
  predictFunction,
  setUserLimits,
} from '@onward/contract'
import { exchange, functionsClient, insightsClient, OnwardError, send } from '@onward/contract-client'
import { waitUntil } from '../parts/wait-until.ts'
import type { Services } from './functions-and-insights.ts'
import { connectAddressBook, disconnectAddressBook, type Provisioned, USER_ID } from './provision.ts'
import { openReceiver } from './receiver.ts'

const SMALL_LIMIT = 5
const LIMITED_USER_ID = 'limited@example.com'

/** Uses every main feature once and prints each result: predict, call, calls log, counting, reaching a limit, webhooks. */
export async function showFeatures(services: Services, keys: Provisioned, demoUrl: string, say: (line: string) => void): Promise<void> {
  const { app_key, app_secret, partner_api_key } = keys
  const client = (userId: string) => functionsClient({ url: services.functionsUrl, appKey: app_key, appSecret: app_secret, userId })
  const partner = insightsClient({ url: services.insightsUrl, apiKey: partner_api_key })
  const joe = client(USER_ID)

  const consumedBefore = (await tasksOf(partner, app_key, USER_ID))?.tasks_consumed ?? 0

  const prompt = 'list the contacts in my address book'
  const [found] = (await send(joe, predictFunction, { body: { prompt } })).functions
  if (found === undefined || !('confidence' in found)) throw new Error('no function was found for the prompt')
  say(`predict    "${prompt}" -> ${found.name} (confidence ${found.confidence})`)

  const { response, headers } = await exchange(joe, callFunction, {
    params: { function_name: 'addressbook-list-contacts' },
    body: { page_size: 2 },
  })
  const { output, network_code } = calledOf(response)
  const names = (output as { name: string }[]).map(({ name }) => name)
  say(`call       addressbook-list-contacts returned ${network_code} with ${names.join(', ')} and a cursor for the next page`)

  const { calls } = await send(joe, listCalls, { body: { page_size: 1 } })
  if (calls[0]?.id !== headers['x-call-id']) throw new Error('the call is not in the calls log')
  say(`calls log  ${calls[0]?.id} ${calls[0]?.outcome} in ${calls[0]?.duration_ms} ms`)

  const before = Date.now()
  const counted = await until('insights did not count the call', async () => {
    const status = await tasksOf(partner, app_key, USER_ID)
    return status !== undefined && status.tasks_consumed > consumedBefore ? status : undefined
  })
  say(
    `insights   counted it for ${counted.user_id}: ${counted.tasks_consumed} of ${counted.current_limit} tasks, after ${Date.now() - before} ms`,
  )

  await reachLimit(services, keys, demoUrl, client, partner, say)
}

/** Lets the same user reach a limit at each start. The limit of the last start is reached, so it is raised. */
async function reachLimit(
  services: Services,
  keys: Provisioned,
  demoUrl: string,
  client: (userId: string) => ReturnType<typeof functionsClient>,
  partner: ReturnType<typeof insightsClient>,
  say: (line: string) => void,
): Promise<void> {
  const { app_key } = keys
  const receiver = await openReceiver()
  try {
    const accountId = await connectAddressBook(services, keys, LIMITED_USER_ID, demoUrl)
    const consumed = (await tasksOf(partner, app_key, LIMITED_USER_ID))?.tasks_consumed ?? 0
    const limit = consumed + SMALL_LIMIT
    // From the fifth start on, 80 % of the new limit are consumed already, and no webhook says so again.
    const webhooks = consumed < 0.8 * limit ? 2 : 1
    const { subscription_id, signing_secret } = await send(partner, createSubscription, {
      body: { events: ['user_tasks_limit_80', 'user_tasks_limit_100'], callback_url: receiver.url },
    })
    receiver.trust(signing_secret)
    await send(partner, setUserLimits, { query: { app_key }, body: [{ user_id: LIMITED_USER_ID, allowed_tasks: limit }] })
    say(`limit      ${LIMITED_USER_ID} has a limit of ${limit} tasks; webhooks go to ${receiver.url}`)

    for (let n = 0; n < SMALL_LIMIT; n++) {
      await send(client(LIMITED_USER_ID), callFunction, {
        params: { function_name: 'addressbook-get-contact' },
        body: { contact_id: n + 1 },
      })
    }
    await until('the webhooks did not arrive', () => receiver.received.length >= webhooks)
    for (const { event, verified, body } of receiver.received) {
      if (!verified) throw new Error(`the signature of ${event} is not valid`)
      say(`webhook    ${event}, signature valid: ${body.tasks_consumed} of ${body.current_limit} tasks, ${body.tasks_consumed_percent} %`)
    }
    await send(partner, deleteSubscription, { params: { subscription_id } })
    await disconnectAddressBook(services, keys, accountId)
  } finally {
    await receiver.close()
  }
}

/** Returns the tasks of a user; undefined for a user without one. */
async function tasksOf(partner: ReturnType<typeof insightsClient>, app_key: string, id: string) {
  return await send(partner, getUserTasks, { params: { id }, query: { app_key } }).catch((err: unknown) => {
    if (err instanceof OnwardError && err.code === 'user_not_found') return undefined
    throw err
  })
}

const TIMEOUT_MS = 20_000

/** Waits until `ask` returns a value. Throws an error with the text `failure` after 20 s. */
async function until<T>(failure: string, ask: () => T | Promise<T>): Promise<NonNullable<T>> {
  const response = await waitUntil(ask, TIMEOUT_MS)
  if (response) return response
  throw new Error(`${failure} within ${TIMEOUT_MS / 1_000} s`)
}
