import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let joe: User

beforeAll(() => {
  joe = onward.user('joe')
})

type Predicted = { name: string; confidence: number; arguments?: object; meta?: { app: { connected_accounts: { id: number }[] } } }

async function predict(body: object | string, query = '', user = joe): Promise<Predicted[]> {
  return (await user.post(`/functions/predict${query}`, body).expect(200)).body.functions
}

describe('POST /functions/predict', () => {
  it.each([
    ['open a ticket about the broken printer', 'desk-create-ticket'],
    ['Send a text message to my phone contact', 'phone-send-text'],
    ['find the address of a place', 'maps-find-place'],
    ['Which labels may a ticket have?', 'desk-list-labels'],
  ])('finds for "%s" the function %s', async (prompt, name) => {
    const [best, ...others] = await predict({ prompt })
    expect(best?.name).toBe(name)
    expect(others).toEqual([])
  })

  it('returns the function like get does, with a confidence', async () => {
    const { body } = await joe.post('/functions/desk-create-ticket/get').expect(200)
    const [best] = await predict({ prompt: 'open a ticket' })
    expect(best).toEqual({ ...body, confidence: expect.any(Number) })
    expect(best?.confidence).toBeGreaterThan(0.5)
    expect(best?.confidence).toBeLessThanOrEqual(1)
  })

  it('returns a lower confidence when only one word of the prompt is known', async () => {
    const [best] = await predict({ prompt: 'xylophone zeppelin quux ticket' })
    expect(best?.confidence ?? 0).toBeLessThan(0.5)
  })

  it.each(['what is love', 'I am so tired of all this rain', 'who won the world cup in 1966?'])(
    'returns an empty list for "%s", which no function fits',
    async (prompt) => {
      const { body } = await joe.post('/functions/predict', { prompt }).expect(200)
      expect(body).toEqual({ functions: [], meta: { refused: { reason: expect.stringMatching(/^(out_of_scope|unclear)$/) } } })
    },
  )

  it.each(['zzzqqq xyzzy', 'the of and to', '...', '🙂', '日本'])('returns an empty list for "%s"', async (prompt) => {
    const { body } = await joe.post('/functions/predict', { prompt }).expect(200)
    expect(body).toEqual({ functions: [], meta: { refused: { reason: expect.any(String) } } })
  })

  it.each<[string, string | object | undefined, string]>([
    ['no body', undefined, 'prompt: is required'],
    ['no prompt', {}, 'prompt: is required'],
    ['an empty prompt', { prompt: '' }, 'prompt: must not be empty'],
    ['a prompt of spaces', { prompt: ' \n ' }, 'prompt: must not be empty'],
    ['null', { prompt: null }, 'prompt: must be text'],
    ['a number', { prompt: 5 }, 'prompt: must be text'],
    ['a prompt that is too long', { prompt: 'x'.repeat(10_001) }, 'prompt: must have at most 10000 characters'],
    ['an empty form', 'prompt=', 'prompt: must not be empty'],
  ])('refuses %s', async (_what, sent, problem) => {
    const { body } = await joe.post('/functions/predict', sent).expect(400)
    expect(body).toEqual({
      error: expect.any(String),
      error_details: [problem],
      code: 'invalid_parameters',
      request_id: expect.any(String),
    })
  })

  it('accepts a form body', async () => {
    expect((await predict('prompt=open+a+ticket&_variables[subject]=a&predict_arguments=true'))[0]).toMatchObject({
      name: 'desk-create-ticket',
      arguments: { subject: '{subject}' },
    })
  })

  it('uses the first 200,000 characters of the variables', async () => {
    const argumentsWith = async (_variables: object) =>
      (await predict({ prompt: 'open a ticket', predict_arguments: true, _variables }))[0]?.arguments
    expect(await argumentsWith({ other: 'x'.repeat(100_000), subject: 'Printer' })).toEqual({ subject: '{subject}' })
    expect(await argumentsWith({ other: 'x'.repeat(199_990), subject: 'Printer' })).toEqual({})
    expect(await argumentsWith({ other: 'x'.repeat(300_000), subject: 'Printer' })).toEqual({ subject: '{subject}' })
  })

  it('prefers a connected app among similar functions', async () => {
    const prompt = 'water the flowers of the garden'
    expect((await predict({ prompt }))[0]?.name).toMatch(/^(larch|maple)-water-flowers$/)
    for (const app of ['larch', 'maple'] as const) {
      const user = onward.user(`tied-${app}`)
      await user.connect(app)
      expect((await predict({ prompt }, '', user))[0]?.name).toBe(`${app}-water-flowers`)
    }
  })

  it('prefers a better function to one of a connected app', async () => {
    const user = onward.user('unswayed')
    await user.connect('maps')
    expect((await predict({ prompt: 'open a ticket' }, '', user))[0]?.name).toBe('desk-create-ticket')
  })

  it.each<[string, string]>([
    ['of one app', 'app=maple'],
    ['of one app in capitals', 'app=MAPLE'],
    ['of connected apps', 'connected_only=true'],
    ['of a connected app', 'app=maple&connected_only=1'],
  ])('returns only functions %s when requested', async (_which, query) => {
    const user = onward.user('restricted')
    await user.connect('maple')
    const body = { prompt: 'water the flowers of the garden', top_k: 20 }
    expect((await predict(body, '', user)).length).toBeGreaterThan(2)
    const names = (await predict(body, `?${query}`, user)).map(({ name }) => name)
    expect(names[0]).toBe('maple-water-flowers')
    const withOther = await predict({ ...body, prompt: 'water the flowers of the garden with Larch' }, `?${query}`, user)
    expect([...names, ...withOther.map(({ name }) => name)].filter((name) => !name.startsWith('maple-'))).toEqual([])
    expect(await predict({ prompt: 'open a ticket' }, `?${query}`, user)).toEqual([])
    await user.post(`/functions/larch-water-flowers/get?${query}`).expect(404)
    await user.post(`/functions/maple-water-flowers/get?${query}`).expect(200)
  })

  it('answers 404 when it is restricted to an unknown app', async () => {
    const { body } = await joe.post('/functions/predict?app=nobody', { prompt: 'open a ticket' }).expect(404)
    expect(body.code).toBe('app_not_found')
  })

  it("returns meta with the user's accounts when requested", async () => {
    const user = onward.user('with-meta')
    const id = await user.connect('desk')
    const [best] = await predict({ prompt: 'open a ticket' }, '?include=meta', user)
    expect(best?.meta?.app.connected_accounts).toMatchObject([{ id }])
    expect((await predict({ prompt: 'open a ticket' }, '?include=', user))[0]).not.toHaveProperty('meta')
  })
})

describe('top_k', () => {
  const prompt = 'open a ticket'

  it.each<[string, object | string, string, number]>([
    ['in the body', { prompt, top_k: 3 }, '', 3],
    ['in the query', { prompt }, '?top_k=3', 3],
    ['in the body rather than in the query', { prompt, top_k: 2 }, '?top_k=3', 2],
    ['in a form', 'prompt=open+a+ticket&top_k=3', '', 3],
    ['as absent when it is null', { prompt, top_k: null }, '', 1],
    ['when it is larger than the number of functions', { prompt, top_k: 20 }, '', 20],
  ])('is read %s', async (_how, body, query, count) => {
    const found = await predict(body, query)
    const names = found.map(({ name }) => name)
    expect(names[0]).toBe('desk-create-ticket')
    expect(new Set(names).size).toBe(names.length)
    if (count === 20) expect(names.length).toBeGreaterThan(3)
    else expect(names).toHaveLength(count)
    const confidences = found.map(({ confidence }) => confidence)
    expect(confidences).toEqual([...confidences].sort((a, b) => b - a))
  })

  it('returns the arguments of each function', async () => {
    const found = await predict({ prompt: 'open a ticket with subject "Printer"', top_k: 3, predict_arguments: true })
    expect(found.map((each) => typeof each.arguments)).toEqual(['object', 'object', 'object'])
    expect(found[0]?.arguments).toEqual({ subject: 'Printer' })
  })

  it('returns tools in the requested format, and our fields beside them in the same order', async () => {
    const bare = await predict({ prompt, top_k: 3, predict_arguments: true })
    const { body } = await joe.post('/functions/predict?format=mcp&top_k=3', { prompt, predict_arguments: true }).expect(200)
    const ours = bare.map(({ confidence, arguments: args }) => ({ confidence, arguments: args }))
    expect(body.functions.map(({ name }: { name: string }) => name)).toEqual(bare.map(({ name }) => name))
    expect(body).toEqual({ functions: body.functions, ...ours[0], predictions: ours })
  })

  it.each([0, 21, 1.5, -1, 'three'])('refuses %j', async (count) => {
    await joe.post('/functions/predict', { prompt, top_k: count }).expect(400)
    await joe.post(`/functions/predict?top_k=${count}`, { prompt }).expect(400)
  })

  it('returns an empty list when nothing fits', async () => {
    expect(await predict({ prompt: 'zzzqqq xyzzy', top_k: 5 })).toEqual([])
  })
})

describe('POST /functions/predict with all built-in apps', () => {
  const all = useFunctions({ builtIn: true })

  it.each([
    ['post a message in the slack channel', 'slack-post-message'],
    ['Send a text message to my phone contact', 'phone-send-text'],
    ['find the address of a place', 'maps-find-place'],
    ['Which labels may a ticket have?', 'desk-list-labels'],
    ['create an issue in GitHub', 'github-create-issue'],
    ['open a ticket in Zendesk', 'zendesk-create-ticket'],
    ['list the contacts of HubSpot', 'hubspot-list-contacts'],
    ['create a Stripe customer', 'stripe-create-customer'],
    ['upload a file to Dropbox', 'dropbox-upload-file'],
  ])('finds for "%s" the function %s', async (prompt, name) => {
    expect((await predict({ prompt }, '', all.user('joe'))).map((found) => found.name)).toEqual([name])
  })

  it('says which product is not an app, and with top_k which functions are nearest', async () => {
    const prompt = 'create a to-do in Basecamp'
    const { body } = await all.user('joe').post('/functions/predict', { prompt }).expect(200)
    expect(body).toEqual({ functions: [], meta: { refused: { reason: 'no_such_app', product: 'Basecamp' } } })
    const { body: more } = await all.user('joe').post('/functions/predict', { prompt, top_k: 5 }).expect(200)
    const near = { name: expect.any(String), confidence: expect.any(Number) }
    expect(more.meta.refused.nearest).toEqual([near, near, near])
  })

  it('returns the function for a further request in meta.next', async () => {
    const prompt = 'create a GitHub issue about the broken printer and then post a message in the slack channel'
    const { body } = await all.user('joe').post('/functions/predict', { prompt }).expect(200)
    expect(body.functions[0].name).toBe('github-create-issue')
    expect(body.meta.next).toEqual([{ name: 'slack-post-message', confidence: expect.any(Number) }])
  })

  it('finds a function that opens a ticket in any app when none is named', async () => {
    const [best] = await predict({ prompt: 'open a ticket about the broken printer' }, '', all.user('joe'))
    expect(best?.name).toMatch(/^(desk|freshdesk|intercom|zendesk)-create-ticket$/)
  })

  it.each(['connected_only=true', 'app=crm'])('is sure of a function that fits, and not of one that does not, with %s', async (query) => {
    const user = all.user('joe-crm')
    await user.connect('crm')
    const [fitting] = await predict({ prompt: 'create a contact for ada@example.com' }, `?${query}`, user)
    expect(fitting).toMatchObject({ name: 'crm-create-contact' })
    expect(fitting?.confidence).toBeGreaterThanOrEqual(0.5)
    for (const prompt of ['create a contact in HubSpot', 'create an invoice for ACME', 'delete contact 5']) {
      const [other] = await predict({ prompt }, `?${query}`, user)
      expect(other?.confidence ?? 0).toBeLessThan(0.5)
    }
  })
})

describe('predict_arguments', () => {
  const prompt = 'open a ticket with subject "Printer"'

  it.each([['?predict_arguments=true'], ['?predict_arguments=True'], ['?predict_arguments=1']])(
    'is read in the query: %s',
    async (query) => {
      expect((await predict({ prompt }, query))[0]?.arguments).toEqual({ subject: 'Printer' })
    },
  )

  it('is read in the body', async () => {
    expect((await predict({ prompt, predict_arguments: true }))[0]?.arguments).toEqual({ subject: 'Printer' })
  })

  it.each<[object, string]>([
    [{}, ''],
    [{ predict_arguments: false }, ''],
    [{ predict_arguments: null }, ''],
    [{}, '?predict_arguments=False'],
    [{}, '?predict_arguments=0'],
    [{}, '?predict_arguments='],
    [{ predict_arguments: false }, '?predict_arguments=true'],
  ])('leaves the arguments out for %j and %j', async (body, query) => {
    expect((await predict({ prompt, ...body }, query))[0]).not.toHaveProperty('arguments')
  })

  it('is refused when it is not a boolean', async () => {
    await joe.post('/functions/predict', { prompt, predict_arguments: 'true' }).expect(400)
    await joe.post('/functions/predict?predict_arguments=perhaps', { prompt }).expect(400)
  })

  it('returns an empty object when no argument is found', async () => {
    expect((await predict({ prompt: 'open a ticket', predict_arguments: true }))[0]?.arguments).toEqual({})
  })

  it.each<[string, object]>([
    ["open a ticket with subject 'It''", { subject: 'It' }],
    ['open a ticket: subject “Printer – 2nd floor”', { subject: 'Printer – 2nd floor' }],
    ['open a ticket, subject "a", priority 5', { subject: 'a', priority: 5 }],
    ['open a ticket, subject "a", priority 5.5', { subject: 'a' }],
    ['open a ticket with subject "a" in state `open`', { subject: 'a', state: 'open' }],
    ['open a ticket with subject "a" in state `lost`', { subject: 'a' }],
    ['open a ticket with subject "#a"', {}],
  ])('finds the literal values in "%s"', async (text, expected) => {
    expect((await predict({ prompt: text, predict_arguments: true }))[0]).toMatchObject({ name: 'desk-create-ticket', arguments: expected })
    expect((await predict({ prompt: text, predict_arguments: true }))[0]?.arguments).toEqual(expected)
  })

  it('finds an e-mail address and a tag by their form', async () => {
    const body = {
      prompt: 'create a contact for ada@example.com at age {age}',
      _variables: { age: 30, vip: true },
      predict_arguments: true,
    }
    expect((await predict(body))[0]).toMatchObject({
      name: 'crm-create-contact',
      arguments: { email: 'ada@example.com', age: '{age}', vip: '{vip}' },
    })
  })
})
