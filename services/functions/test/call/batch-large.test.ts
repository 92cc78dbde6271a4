import { sendJson } from '@onward/testbed'
import { useFunctions } from '../support/support.ts'

const onward = useFunctions()

it('returns large results of a batch up to 19 MiB together, and gives the memory back', async () => {
  const joe = onward.user('joe')
  await joe.connect('desk')
  const text = 'x'.repeat(7 * 1_048_576)
  onward.third.respond((_received, response) => sendJson(response, 201, { text }))
  const callAll = async (subjects: readonly string[]) => {
    const calls = subjects.map((subject) => ({ function_name: 'desk-create-ticket', arguments: { subject } }))
    return (await joe.post('/functions/batch-call', { calls, mode: 'in_order' }).expect(200)).body.results
  }
  const results = await callAll(['a', 'b', 'c'])
  expect(results).toMatchObject([{ status: 200 }, { status: 200 }, { error: { code: 'upstream_invalid' }, call_id: expect.any(String) }])
  // A user may hold a quarter of the memory, so it must have been given back.
  expect(await callAll(['a', 'b'])).toMatchObject([{ status: 200 }, { status: 200 }])
})
