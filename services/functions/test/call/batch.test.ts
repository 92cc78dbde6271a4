import { eventually, sendJson } from '@onward/testbed'
import { storeBlocking } from '../../src/db/blocking.ts'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { CALL_TIMEOUT_MS: '10000' } })
let joe: User
let users = 0

beforeEach(async () => {
  joe = onward.user(`joe-${++users}`)
  await joe.connect('desk')
  onward.third.received.length = 0
  onward.third.respond(({ body }, response) => sendJson(response, 201, { subject: body === '' ? null : JSON.parse(body).subject }))
})

const create = (subject: unknown, more: object = {}) => ({ function_name: 'desk-create-ticket', arguments: { subject }, ...more })

function batch(calls: readonly object[], { mode, key, user = joe }: { mode?: string; key?: string; user?: User } = {}) {
  const sent = user.post('/functions/batch-call', { calls, ...(mode === undefined ? {} : { mode }) })
  return key === undefined ? sent : sent.set('Idempotency-Key', key)
}

const subjects = () => onward.third.received.map(({ body }) => JSON.parse(body).subject)
const codes = (body: { results: { error?: { code: string } }[] }) => body.results.map(({ error }) => error?.code ?? 'called')

describe('a batch of calls', () => {
  it.each(['parallel', 'in_order'])('has a result or an error for each call, in %s mode', async (mode) => {
    const before = await onward.rows()
    const bad = [create({ no: 'text' }), { function_name: 'desk-creat-ticket' }, { function_name: 'crm-list-contacts' }]
    const { body, headers } = await batch([create('a'), ...bad, create('b', { _fields: ['subject.x', 'id'] })], { mode }).expect(200)
    expect(body.results).toEqual([
      { status: 200, call_id: expect.any(String), replayed: false, result: { network_code: 201, output: { subject: 'a' } } },
      expect.objectContaining({ status: 400, call_id: null, error: expect.objectContaining({ code: 'invalid_parameters' }) }),
      expect.objectContaining({ status: 404, error: expect.objectContaining({ suggestions: ['desk-create-ticket'] }) }),
      expect.objectContaining({ status: 400, error: expect.objectContaining({ login_url: expect.stringContaining('/connect/') }) }),
      expect.objectContaining({
        result: { network_code: 201, output: {}, meta: { fields_missing: ['subject.x', 'id'] } },
      }),
    ])
    expect(body.results[1].error.request_id).toBe(headers['x-request-id'])
    expect((await onward.rows()).call_log - before.call_log).toBe(2)
    for (const { result, call_id: id } of body.results) if (result !== undefined) expect(await onward.counted(id)).toBe(true)
  })

  it('makes each call of in_order after the one before, and goes on after an error of the app', async () => {
    let open = 0
    onward.third.respond(async (_received, response) => {
      expect(++open).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      open--
      sendJson(response, 500, {})
    })
    const { body } = await batch(
      ['a', 'b', 'c'].map((subject) => create(subject)),
      { mode: 'in_order' },
    ).expect(200)
    expect(body.results.map(({ result }: { result: { network_code: number } }) => result.network_code)).toEqual([500, 500, 500])
    expect(subjects()).toEqual(['a', 'b', 'c'])
  })

  it('makes all calls at the same time by default', async () => {
    const waiting: (() => void)[] = []
    onward.third.respond((_received, response) => void waiting.push(() => sendJson(response, 201, {})))
    const answer = batch(['a', 'b', 'c'].map((subject) => create(subject))).then(({ body }) => body)
    await eventually(() => expect(waiting).toHaveLength(3))
    for (const release of waiting) release()
    expect(codes(await answer)).toEqual(['called', 'called', 'called'])
  })

  it('does not begin a call after the time limit of a call', async () => {
    onward.third.respond(({ body }, response) => {
      if (JSON.parse(body).subject !== 'slow') sendJson(response, 201, {})
    })
    const { body } = await batch([create('quick'), create('slow'), create('late')], { mode: 'in_order' }).expect(200)
    expect(codes(body)).toEqual(['called', 'upstream_timeout', 'unavailable'])
    expect(subjects()).toEqual(['quick', 'slow'])
  })

  it('keeps the digits of numbers in both directions', async () => {
    const sent =
      '{"calls": [{"function_name": "desk-create-ticket", "arguments": {"subject": "{n}"}, "_variables": {"n": 1909699624467843944}}]}'
    onward.third.respond(({ body }, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(`{"id": 1.50, "body": ${body}}`)
    })
    const { text, body } = await joe.post('/functions/batch-call').type('json').send(sent)
    expect([body.results[0].error?.error_details, text.includes('1.50')]).toEqual([['subject: must be text'], false])
    const { text: other } = await batch([create('a')]).expect(200)
    expect(other).toContain('"output":{"id": 1.50,')
  })

  it.each([
    [[], 'calls: '],
    [Array.from({ length: 21 }, () => create('a')), 'calls: '],
    [[create('a'), { arguments: {} }], 'calls[1].function_name: is required'],
    [[create('a', { idempotency_key: '' })], 'calls[0].idempotency_key: '],
    [[create('a', { fields: ['x'] })], 'calls[0].fields: '],
  ])('is refused as a whole if its form is wrong: %#', async (calls, problem) => {
    const { body } = await batch(calls).expect(400)
    expect(body.error_details[0]).toContain(problem)
    expect(onward.third.received).toEqual([])
  })

  it('refuses each call of a blocked user', async () => {
    const blocked_until = new Date(Date.now() + 3_600_000).toISOString()
    await storeBlocking(onward.db, [{ app_key: onward.application.appKey, user_id: joe.userId, seq: 1, blocked_until }])
    await eventually(async () => {
      const { body } = await batch([create('a'), create('b')]).expect(200)
      expect(codes(body)).toEqual(['task_limit_reached', 'task_limit_reached'])
      expect(body.results[0].retry_after).toBeGreaterThan(0)
    })
  })

  it('counts each call against the rate limit', async () => {
    const application = await onward.makeApplication(`limited-${users}`)
    const settings = { workspace_id: 'workspace-1', name: 'x', user_rate_limit: 10 }
    await onward.admin('put', `/admin/applications/${application.appKey}`, settings).expect(200)
    const user = onward.user('joe', application)
    await user.connect('desk')
    const calls = Array.from({ length: 15 }, (_, n) => create(String(n)))
    // A minute can end in between.
    const answers = [await batch(calls, { user }), await batch(calls, { user })]
    const limited = answers.flatMap(({ status, body }) => (status === 429 ? ['rate_limited'] : codes(body)))
    expect(limited).toContain('rate_limited')
    expect(onward.third.received.length).toBeLessThanOrEqual(20)
    const late = answers.flatMap(({ body }) => body.results ?? []).find(({ error }) => error?.code === 'rate_limited')
    expect(late?.retry_after).toBeGreaterThan(0)
  })
})

describe('a batch with an Idempotency-Key', () => {
  it('is executed once, and each response is replayed', async () => {
    const calls = [create('a'), create('b'), create({ no: 'text' })]
    const first = await batch(calls, { key: 'once' }).expect(200)
    const second = await batch(calls, { key: 'once' }).expect(200)
    expect(second.body.results.map(({ replayed }: { replayed: boolean }) => replayed)).toEqual([true, true, false])
    const ids = ({ body }: typeof first) => body.results.map(({ call_id }: { call_id: string }) => call_id)
    expect(ids(second)).toEqual(ids(first))
    expect(subjects().sort()).toEqual(['a', 'b'])
  })

  it('makes no call twice when it arrives twice at the same time', async () => {
    const waiting: (() => void)[] = []
    onward.third.respond((_received, response) => void waiting.push(() => sendJson(response, 201, {})))
    const calls = Array.from({ length: 5 }, (_, n) => create(String(n)))
    const answers = [0, 1].map(() => batch(calls, { key: 'twice' }).then(({ body }) => codes(body)))
    await eventually(() => expect(waiting).toHaveLength(5))
    for (const release of waiting) release()
    const all = (await Promise.all(answers)).flat()
    // Each batch makes some of the calls. For those, the other batch gets an error or the same response.
    expect(new Set([...all, 'called', 'idempotency_in_progress']).size).toBe(2)
    expect(all.filter((code) => code === 'called').length).toBeGreaterThanOrEqual(5)
    expect(subjects().sort()).toEqual(['0', '1', '2', '3', '4'])
  })

  it('makes only the missing calls after its connection was cut', async () => {
    const waiting: (() => void)[] = []
    onward.third.respond(({ body }, response) => {
      if (JSON.parse(body).subject === 'a') sendJson(response, 201, { id: 1 })
      else waiting.push(() => sendJson(response, 201, { id: 2 }))
    })
    const calls = [create('a'), create('b')]
    const cut = batch(calls, { mode: 'in_order', key: 'cut' })
    cut.end(() => {})
    await eventually(() => expect(waiting).toHaveLength(1))
    cut.abort()
    for (const release of waiting) release()
    await eventually(async () => {
      const { body } = await batch(calls, { mode: 'in_order', key: 'cut' }).expect(200)
      expect(body.results.map(({ result }: { result?: { output: unknown } }) => result?.output)).toEqual([{ id: 1 }, { id: 2 }])
    })
    expect(subjects()).toEqual(['a', 'b'])
  })

  it('is refused where a call differs from the call that the key was used for', async () => {
    await batch([create('a'), create('b')], { key: 'other' }).expect(200)
    const calls = [create('a'), { function_name: 'desk-list-labels' }, create('c')]
    const { body } = await batch(calls, { key: 'other' }).expect(200)
    expect(codes(body)).toEqual(['called', 'idempotency_conflict', 'called'])
    expect(subjects().sort()).toEqual(['a', 'b', 'c'])
  })

  it('has keys of single calls, which mean the same call alone', async () => {
    const { body } = await batch([create('a', { idempotency_key: 'own', _fields: ['subject'] })], { key: 'whole' }).expect(200)
    const alone = await joe
      .call('desk-create-ticket', { subject: 'a', _fields: ['subject'] })
      .set('Idempotency-Key', 'own')
      .expect(200)
    expect(alone.headers['idempotency-replayed']).toBe('true')
    expect([alone.headers['x-call-id'], alone.body]).toEqual([body.results[0].call_id, body.results[0].result])
    expect(subjects()).toEqual(['a'])
  })

  it.each(['x'.repeat(251), 'with space'])('is refused if the key is not valid', async (key) => {
    const { body } = await batch([create('a')], { key }).expect(400)
    expect(body.error_details).toEqual(['Idempotency-Key: must be 1 to 250 visible ASCII characters'])
  })
})
