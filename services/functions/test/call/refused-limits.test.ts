import { uuidv7 } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { callTool, connectClient, createToken } from '../support/mcp-support.ts'
import { useFunctions } from '../support/support.ts'

const onward = useFunctions()
const DAY_MS = 86_400_000

type Row = {
  readonly id: string
  readonly function_name: string
  readonly app: string | null
  readonly via?: string
  readonly message: string
  readonly refusal: { readonly code: string; readonly error_details: string[]; readonly unstored_before: number }
}

const read = async (query: string): Promise<Row[]> =>
  (await onward.admin('get', `/admin/calls?outcome=refused&page_size=100&${query}`).expect(200)).body.calls
const becomes = async (query: string, count: number) =>
  await eventually(async () => {
    const rows = await read(query)
    expect(rows).toHaveLength(count)
    return rows
  })

async function notStored(): Promise<number> {
  const { text } = await onward.admin('get', '/metrics').expect(200)
  return Number(/^onward_functions_refused_calls_not_stored_total(?:\{.*\})? (\d+)$/m.exec(text)?.[1])
}

it('stores a row for each call of a batch that is refused', async () => {
  const user = onward.user('batch')
  await user.connect('desk')
  const calls = [
    { function_name: 'desk-create-ticket' },
    { function_name: 'desk-creat-ticket' },
    { function_name: 'desk-create-ticket', arguments: { subject: 'a' } },
  ]
  const { body } = await user.post('/functions/batch-call', { calls }).set('X-Request-ID', 'of-a-batch').expect(200)
  expect(body.results.map(({ status }: { status: number }) => status)).toEqual([400, 404, 200])
  const rows = await becomes('request_id=of-a-batch', 2)
  expect(rows.map(({ function_name, app, refusal }) => [function_name, app, refusal.code]).sort()).toEqual([
    ['desk-creat-ticket', null, 'function_not_found'],
    ['desk-create-ticket', 'desk', 'invalid_parameters'],
  ])
})

it('stores the refused call of an agent with its token', async () => {
  const user = onward.user('agent')
  await user.connect('desk')
  const { id, token } = await createToken(user)
  const client = await connectClient(onward.url, token, '2026-07-28')
  const { isError } = await callTool(client, 'desk-create-ticket', {})
  expect(isError).toBe(true)
  const [row] = await becomes(`token_id=${id}`, 1)
  expect(row).toMatchObject({
    user_id: 'agent',
    function_name: 'desk-create-ticket',
    app: 'desk',
    via: expect.any(String),
    refusal: { status: 400, code: 'invalid_parameters', error_details: ['subject: is required'] },
  })
})

it('stores no row for a refused dry run, and none for a call that is in the calls log', async () => {
  const user = onward.user('executed')
  await user.connect('desk')
  const dry = user.post('/functions/desk-create-ticket/call?dry_run=true', {})
  await dry.set('X-Request-ID', 'executed-call').expect(400)
  onward.third.respond((_received, response) => void response.destroy())
  await user.call('desk-create-ticket', { subject: 'a' }).set('X-Request-ID', 'executed-call').expect(502)
  await user.call('no-such-function').set('X-Request-ID', 'last-of-these').expect(404)
  await becomes('request_id=last-of-these', 1)
  expect(await read('request_id=executed-call')).toEqual([])
})

it('counts the calls that are not stored, and the next row of the application says how many', async () => {
  const flood = onward.user('flood')
  const before = await notStored()
  let refused = 0
  // The minute of the quota can end in between, so send until some are not stored.
  await eventually(async () => {
    for (let n = 0; n < 31; n++, refused++) await flood.call('no-such-function').expect(404)
    expect(await notStored()).toBeGreaterThan(before)
  })
  const missing = (await notStored()) - before
  await becomes('user_id=flood', refused - missing)
  await onward.user('next').call('no-such-function').expect(404)
  const [next] = await becomes('user_id=next', 1)
  const rows = [...(await read('user_id=flood')), ...(next === undefined ? [] : [next])]
  expect(rows.reduce((sum, { refusal }) => sum + refusal.unstored_before, 0)).toBe(missing)
})

it('stores at most 4,000 characters of the problems of a call, and says how many problems it left out', async () => {
  const user = onward.user('long')
  await user.connect('desk')
  const names = Array.from({ length: 40 }, (_, n) => `${n}${'x'.repeat(3_000)}`)
  const args = Object.fromEntries(names.map((name) => [name, 1]))
  const { body } = await user.call('desk-create-ticket', args).expect(400)
  const [row] = await becomes('user_id=long', 1)
  const details = row?.refusal.error_details ?? []
  expect(body.error_details.join('').length).toBeGreaterThan(8_000)
  expect(details.join('').length).toBeLessThan(4_100)
  expect(details.at(-1)).toBe(`body: has ${body.error_details.length - details.length + 1} more problems, which were not stored`)
})

it('deletes refused calls after CALLS_KEPT_DAYS', async () => {
  const at = async (days: number) => {
    const time = new Date(Date.now() - days * DAY_MS)
    const id = uuidv7(+time)
    await sql`
      insert into refused_call (call_id, app_key, user_id, function_name, request_id, occurred_at, status, code, message, details, unstored)
      values (${id}, 'app-1', 'kept', 'f', 'r', ${time}, 404, 'function_not_found', 'm', '[]', 0)`.execute(onward.db)
    return id
  }
  const [old, young] = [await at(91), await at(89)]
  const { body } = await onward.admin('post', '/admin/retention/run', {}).expect(200)
  expect(body.deleted).toContainEqual({ table: 'refused_call', rows: 1 })
  await onward.admin('get', `/admin/calls/${old}`).expect(404)
  await onward.admin('get', `/admin/calls/${young}`).expect(200)
})

it('exports the refused calls of a user, and deletes them with the user', async () => {
  await onward.user('leaving').call('no-such-function').set('X-Request-ID', 'of-who-leaves').expect(404)
  await onward.user('staying').call('no-such-function').expect(404)
  for (const user of ['leaving', 'staying']) await becomes(`user_id=${user}`, 1)
  const path = '/admin/applications/app-1/user-data'
  const exported = async () => (await onward.admin('get', `${path}?user_id=leaving`).expect(200)).text
  expect(await exported()).toContain('of-who-leaves')
  const { body } = await onward.admin('post', `${path}/delete`, { user_id: 'leaving' }).expect(200)
  expect(body).toMatchObject({ changed: { refused_call: 1 }, complete: true })
  expect(await exported()).not.toContain('of-who-leaves')
  expect(await read('user_id=leaving')).toEqual([])
  expect(await read('user_id=staying')).toHaveLength(1)
})
