import { eventually, type Link, openLink } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { ADMIN_TOKEN, hashOf, useFunctions } from './support.ts'

// The machine may be busy, and some tests wait for it twice.
jest.setTimeout(60_000)
const WAIT_MS = 25_000

const onward = useFunctions()
let link: Link
let other: Awaited<ReturnType<typeof onward.startAnother>>
let made = 0

beforeAll(async () => {
  // The second process listens through the link, and reads the database without it.
  link = await openLink(onward.suite.databaseUrl)
  other = await onward.startAnother({ databaseDirectUrl: link.url })
})
afterAll(async () => {
  await onward.close()
  await link.close()
})

type Process = { readonly url: string; readonly internalUrl: string }
type Application = { readonly appKey: string; readonly secret: string }

/** Requests of one user to a process, by default the second one. */
function userOf({ appKey, secret }: Application, { url }: Pick<Process, 'url'> = other) {
  const headers = { 'App-Key': appKey, 'User-ID': 'joe', Hash: hashOf(secret, 'joe') }
  const post = (path: string) => request(url).post(path).set(headers).send({})
  return {
    list: () => post('/functions/list'),
  }
}

/** Sends a request to the admin API, by default of the first process. */
function admin(method: 'put' | 'post' | 'delete', path: string, body: object = {}, { internalUrl }: Pick<Process, 'internalUrl'> = onward) {
  return request(internalUrl)[method](path).set('authorization', `Bearer ${ADMIN_TOKEN}`).send(body).expect(200)
}

const pathOf = ({ appKey }: Application) => `/admin/applications/${appKey}`
const newApplication = () => onward.makeApplication(`held-${++made}`)

/** Replaces the secret and returns the new one. */
async function rotate(application: Application, hours = 0, process?: Process): Promise<string> {
  return (await admin('post', `${pathOf(application)}/rotate-secret`, { keep_previous_hours: hours }, process)).body.app_secret
}

/** Waits until `request` succeeds although nothing can be read from the table of applications. */
async function isHeld(send: () => request.Test): Promise<void> {
  await eventually(async () => {
    await send().expect(200)
    await onward.db.transaction().execute(async (tx) => {
      await sql`lock table application in access exclusive mode`.execute(tx)
      await send().timeout(3_000).expect(200)
    })
  }, WAIT_MS)
}

/** `send` succeeds until `change`, which the given process makes. Then `check` passes once the second process knows of the change. */
type Case = {
  readonly send: () => request.Test
  readonly change: (process: Process) => Promise<unknown>
  readonly check: () => Promise<unknown>
}

async function applicationCase(status: number, change: (application: Application, process: Process) => Promise<unknown>): Promise<Case> {
  const application = await newApplication()
  const { list } = userOf(application)
  const check = async () => {
    // The first request of a minute is within every limit.
    await list()
    await list().expect(status)
  }
  return { send: list, change: (process) => change(application, process), check }
}

const cases: [string, () => Promise<Case>][] = [
  ['a secret that was replaced', () => applicationCase(401, (application, process) => rotate(application, 0, process))],
  [
    'an application that was deleted',
    () => applicationCase(401, (application, process) => admin('delete', pathOf(application), {}, process)),
  ],
  [
    'an application whose rate limit was lowered',
    () =>
      applicationCase(429, async (application, process) => {
        const body = { workspace_id: 'workspace-1', name: 'Changed', user_rate_limit: 1 }
        return await admin('put', pathOf(application), body, process)
      }),
  ],
]

describe('what a process holds in memory', () => {
  describe.each<[string, () => void, () => void]>([
    ['that notifies the others', () => {}, () => {}],
    ['whose notifications do not arrive', () => link.silence(), () => link.heal()],
    ['while this one cannot listen', () => link.set({ kind: 'reset' }), () => link.set({ kind: 'normal' })],
  ])('does not outlast the change of another process %s', (_when, disturb, mend) => {
    afterEach(mend)

    it.each(cases)('%s', async (_what, make) => {
      const { send, change, check } = await make()
      await isHeld(send)
      disturb()
      await change(onward)
      await eventually(check, WAIT_MS)
      mend()
      await eventually(check, WAIT_MS)
    })
  })

  it.each(cases)('does not outlast a change of its own, also without a notification: %s', async (_what, make) => {
    const { send, change, check } = await make()
    await isHeld(send)
    // For a moment, the value in memory is still considered current.
    link.silence()
    await change(other)
    await check()
    link.heal()
  })

  it('accepts a new secret at once, and the previous one until it expires', async () => {
    const application = await newApplication()
    await isHeld(userOf(application).list)
    const secret = await rotate(application, 3 / 3_600)
    const { list } = userOf({ ...application, secret })
    await list().expect(200)
    await isHeld(list)
    await eventually(() => userOf(application).list().expect(401), WAIT_MS)
    await list().expect(200)
  })
})
