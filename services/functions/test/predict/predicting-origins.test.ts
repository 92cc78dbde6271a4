import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/names-apps' } })
let joe: User

beforeAll(() => {
  joe = onward.user('joe')
})

const PROMPT = "open a ticket with subject 'Printer of {name} broken' and priority 2"
const sent = { prompt: PROMPT, _variables: { name: 'Ada', customer: { name: 'Ada' }, label: 'L1' } }

/** Returns the origin of each argument, with `span` as the text that it covers. */
function spelled(origins: Record<string, { span?: [number, number]; confidence: number }>) {
  return Object.fromEntries(
    Object.entries(origins).map(([name, { span, confidence, ...rest }]) => {
      expect(confidence).toBeGreaterThan(0)
      expect(confidence).toBeLessThanOrEqual(1)
      return [name, { ...rest, ...(span && { text: PROMPT.slice(...span) }) }]
    }),
  )
}

const ORIGINS = {
  subject: { from: 'prompt', text: "'Printer of {name} broken'", variables: ['name'] },
  priority: { from: 'prompt', text: '2' },
  customer: { from: 'variable', variable: 'customer' },
  label: { from: 'variable', variable: 'label' },
}

describe('the origin of predicted arguments', () => {
  it('is part of the meta of POST /functions/:function_name/get', async () => {
    const { body } = await joe.post('/functions/desk-create-ticket/get?include=meta', sent).expect(200)
    expect(Object.keys(body.meta.arguments)).toEqual(Object.keys(body.arguments))
    expect(spelled(body.meta.arguments)).toMatchObject(ORIGINS)
  })

  it('is part of the meta of POST /functions/predict', async () => {
    const { body } = await joe.post('/functions/predict?include=meta&predict_arguments=true', sent).expect(200)
    expect(body.functions[0].name).toBe('desk-create-ticket')
    expect(spelled(body.functions[0].meta.arguments)).toMatchObject(ORIGINS)
  })

  it('is absent when no arguments or no meta were requested', async () => {
    const { body: described } = await joe.post('/functions/desk-create-ticket/get?include=meta').expect(200)
    expect(described.meta).not.toHaveProperty('arguments')
    const { body: predicted } = await joe.post('/functions/predict?include=meta', sent).expect(200)
    expect(predicted.functions[0].meta).not.toHaveProperty('arguments')
    expect((await joe.post('/functions/desk-create-ticket/get', sent).expect(200)).body).not.toHaveProperty('meta')
  })

  it('is empty when no argument was found', async () => {
    const { body } = await joe.post('/functions/desk-create-ticket/get?include=meta', { _variables: {} }).expect(200)
    expect(body.meta.arguments).toEqual({})
  })
})

describe('predicted arguments with variables', () => {
  it.each<[string, string]>([
    ['Printer of {name}', 'Printer of Ada'],
    ['Printer {curly} of {name}', 'Printer {curly} of Ada'],
    ['Printer {{curly}} of {customer.name}', 'Printer {{curly}} of Ada'],
    ['{0} { } {customer.nobody}', '{0} { } {customer.nobody}'],
  ])('can be sent to the call unchanged, with the subject "%s"', async (subject, said) => {
    await joe.connect('desk')
    const { _variables } = sent
    const { body } = await joe
      .post('/functions/desk-create-ticket/get', { prompt: `open a ticket with subject "${subject}"`, _variables })
      .expect(200)
    await joe.call('desk-create-ticket', { ...body.arguments, _variables }).expect(200)
    expect(JSON.parse(onward.third.received.at(-1)?.body ?? '')).toMatchObject({ subject: said })
  })
})

describe('time_zone', () => {
  const paths = ['/functions/desk-create-ticket/get', '/functions/predict']

  it.each(paths.flatMap((path) => ['Europe/Rome', 'UTC', 'Asia/Kolkata', '', null].map((zone) => [path, zone] as const)))(
    'is accepted by %s: %p',
    async (path, time_zone) => {
      await joe.post(path, { ...sent, time_zone }).expect(200)
    },
  )

  it.each(paths.flatMap((path) => ['Mars/Olympus', 'Europe/Rom', '../UTC', 'x'.repeat(1_000)].map((zone) => [path, zone] as const)))(
    'is refused by %s: %.30p',
    async (path, time_zone) => {
      const { body } = await joe.post(path, { ...sent, time_zone }).expect(400)
      expect(body).toMatchObject({ code: 'invalid_parameters', error_details: ['time_zone: must be a time zone, such as Europe/Rome'] })
    },
  )

  it('is refused when it is not text', async () => {
    const { body } = await joe.post('/functions/desk-create-ticket/get', { ...sent, time_zone: 1 }).expect(400)
    expect(body.error_details).toEqual(['time_zone: must be text or null'])
  })

  it('determines the offset of times in the prompt', async () => {
    const zones = ['UTC', 'Asia/Kolkata', 'America/New_York']
    const prompt = 'plan a call on 3 May 2027 at 14:00'
    const get = async (time_zone: string) => (await joe.post('/functions/board-plan-call/get', { prompt, time_zone }).expect(200)).body
    const said = await Promise.all(zones.map(get))
    expect(said.map((body) => new Date(body.arguments.start_time).toISOString())).toEqual([
      '2027-05-03T14:00:00.000Z',
      '2027-05-03T08:30:00.000Z',
      '2027-05-03T18:00:00.000Z',
    ])
  })
})
