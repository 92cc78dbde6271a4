import { eventually } from '@onward/testbed'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
  for (const app of ['desk', 'notes'] as const) await joe.connect(app)
})

type Row = { readonly id: string; readonly outcome: string; readonly request_id: string; readonly refusal?: object }

const read = async (query: string): Promise<Row[]> => (await onward.admin('get', `/admin/calls?${query}`).expect(200)).body.calls

async function refusedBy(requestId: string): Promise<Row[]> {
  return await eventually(async () => {
    const rows = await read(`request_id=${requestId}&outcome=refused`)
    if (rows.length === 0) throw new Error('the refused call is not stored yet')
    return rows
  })
}

it('finds a refused call by its request id, with what to change, and counts no task', async () => {
  await joe.call('desk-create-ticket', {}).set('X-Request-ID', 'refused-arguments').expect(400)
  const [row] = await refusedBy('refused-arguments')
  expect(row).toMatchObject({
    app_key: 'app-1',
    user_id: 'joe',
    function_name: 'desk-create-ticket',
    app: 'desk',
    outcome: 'refused',
    message: 'the parameters are not valid',
    refusal: { status: 400, code: 'invalid_parameters', error_details: ['subject: is required'], approval_id: null, unstored_before: 0 },
  })
  const { body } = await onward.admin('get', `/admin/calls/${row?.id}`).expect(200)
  expect(body).toMatchObject({ request_id: 'refused-arguments', bodies: 'not_kept', remedy: expect.stringContaining('error_details') })
  expect(await read('request_id=refused-arguments')).toEqual([])
  expect(await read('request_id=refused-arguments&refused=true&failed=true')).toEqual([])
})

it('lists refused calls between the others, newest first and in pages', async () => {
  await joe.call('notes-read-notes').set('X-Request-ID', 'order-of-calls').expect(200)
  await joe.call('no-such-function').set('X-Request-ID', 'order-of-calls').expect(404)
  await refusedBy('order-of-calls')
  await joe.call('notes-read-notes').set('X-Request-ID', 'order-of-calls').expect(200)
  const outcomes = async (query: string) => (await read(`request_id=order-of-calls&${query}`)).map(({ outcome }) => outcome)
  expect(await outcomes('refused=true')).toEqual(['answered', 'refused', 'answered'])
  expect(await outcomes('outcome=refused')).toEqual(['refused'])
  expect(await outcomes('')).toEqual(['answered', 'answered'])
  const first = await onward.admin('get', '/admin/calls?request_id=order-of-calls&refused=true&page_size=2').expect(200)
  expect(await outcomes(`refused=true&_cursor=${first.body._cursor}`)).toEqual(['answered'])
})

it('stores no row for wrong credentials, and a bounded number for a flood', async () => {
  const flood = onward.user('flood')
  for (let n = 0; n < 40; n++) await flood.call('no-such-function').expect(404)
  const count = async () => (await read('outcome=refused&user_id=flood&page_size=100')).length
  await eventually(async () => expect(await count()).toBeGreaterThanOrEqual(30))
  // The minute of the limit can end during the test.
  expect(await count()).toBeLessThan(40)
  await onward.user('joe').call('no-such-function').set('Hash', 'f'.repeat(64)).set('X-Request-ID', 'wrong-hash').expect(401)
  expect(await read('request_id=wrong-hash&refused=true')).toEqual([])
})
