import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Script, sendJson } from '@onward/testbed'
import { callOf, choiceOf, isChoice, MODEL_KEY, openScriptedModel, type ScriptedModel } from '../support/scripted-model.ts'
import { type Functions, openFunctions } from '../support/support.ts'

const CHOICE = { name: 'desk-create-ticket', arguments: { subject: 'Printer' } }
const body = { prompt: 'open a ticket with subject "Printer"', predict_arguments: true }

async function openWithModel(env: Readonly<Record<string, string>> = {}, prepare: (model: ScriptedModel) => void = () => {}) {
  const model = await openScriptedModel()
  prepare(model)
  const onward = await openFunctions({ env: { ...model.env, MODEL_NAME: 'chooser-1', ...env } })
  const joe = onward.user('joe')
  /** Predicts, and expects the same response as without a model. */
  async function expectOffline(): Promise<void> {
    const { body: answer } = await joe.post('/functions/predict', body).expect(200)
    expect(answer.functions).toMatchObject([CHOICE])
  }
  return { model, onward, joe, expectOffline }
}

async function requestsOf(onward: Functions): Promise<Record<string, number>> {
  const text = await (await fetch(`${onward.internalUrl}/metrics`)).text()
  const lines = [...text.matchAll(/^onward_functions_model_requests_total\{purpose="(\w+)",outcome="(\w+)",.*\} (\d+)$/gm)]
  return Object.fromEntries(lines.map(([, purpose, outcome, count]) => [`${purpose} ${outcome}`, Number(count)]))
}

type Sent = { temperature?: number; response_format?: object; reasoning_effort?: string }

const busy: Script = (_received, response) => sendJson(response, 429, {})

const chatAnswer =
  (choices: unknown): Script =>
  (_received, response) =>
    sendJson(response, 200, { choices })

describe('predicting with a failing model server', () => {
  let shared: Awaited<ReturnType<typeof openWithModel>>
  beforeAll(async () => {
    shared = await openWithModel()
  })

  it.each<[string, Script, string]>([
    ['answers with HTML', (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'), 'invalid'],
    [
      'answers with broken JSON',
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a"'),
      'invalid',
    ],
    ['answers with an empty body', (_, response) => void response.writeHead(204).end(), 'invalid'],
    ['returns no choices', chatAnswer(undefined), 'invalid'],
    ['returns no message', chatAnswer([{}]), 'invalid'],
    ['returns null', chatAnswer([{ message: null }]), 'invalid'],
    ['returns only text', chatAnswer([{ message: { content: 'Hello.' } }]), 'no_choice'],
    ['cuts its answer off', chatAnswer([{ message: { content: 'I think' }, finish_reason: 'length' }]), 'cut_off'],
    ['is busy', (_, response) => sendJson(response, 429, {}), 'busy'],
    ['refuses the key', (_, response) => sendJson(response, 401, { error: { message: MODEL_KEY } }), 'refused'],
    ['redirects', (_, response) => void response.writeHead(307, { location: '/v1/other' }).end(), 'refused'],
    ['fails', (_, response) => sendJson(response, 500, {}), 'refused'],
    ['closes the connection', (_, response) => void response.destroy(), 'unreachable'],
    ['sends a response that is too large', (_, response) => void response.writeHead(200).end(Buffer.alloc(20_000_000, ' ')), 'unreachable'],
  ])('returns the offline answer when the server %s', async (what, script, outcome) => {
    const { model, onward, joe, expectOffline } = shared
    const key = `choose ${outcome}`
    const { [key]: before = 0 } = await requestsOf(onward)
    model.answersChats(script)
    await expectOffline()
    expect(await requestsOf(onward)).toMatchObject({ [key]: before + 1 })
    // Reset the failure count of the breaker.
    model.refuses('unclear')
    const refused = await joe.post('/functions/predict', { prompt: `${body.prompt} ${what}` }).expect(200)
    expect(refused.body.functions).toEqual([])
  })

  it('returns the offline answer at the deadline', async () => {
    const { model, onward, joe, expectOffline } = await openWithModel({ MODEL_TIMEOUT_MS: '1000' })
    model.answersChats(() => {})
    const get = joe.post('/functions/desk-create-ticket/get', { prompt: body.prompt }).expect(200)
    const [{ body: shown }] = await Promise.all([get, expectOffline()])
    expect(shown.arguments).toMatchObject(CHOICE.arguments)
    expect(await requestsOf(onward)).toEqual({ 'choose timed_out': 1, 'fill timed_out': 1 })
    await onward.close()
  })

  it('sends no requests after three failures in a row', async () => {
    const { model, onward, expectOffline } = await openWithModel()
    model.answersChats((_received, response) => sendJson(response, 503, {}))
    for (let time = 0; time < 5; time++) await expectOffline()
    expect(model.chats()).toHaveLength(3)
    expect(await requestsOf(onward)).toEqual({ 'choose refused': 3, 'choose not_sent': 2 })
    await onward.close()
  })

  it('keeps sending requests when single prompts are refused', async () => {
    const { model, onward, expectOffline } = await openWithModel()
    model.answersChats((_received, response) => sendJson(response, 400, {}))
    for (let time = 0; time < 5; time++) await expectOffline()
    expect(await requestsOf(onward)).toEqual({ 'choose refused': 5 })
    await onward.close()
  })

  it('keeps sending requests when the server is busy or cuts answers off', async () => {
    const { model, onward, expectOffline } = await openWithModel()
    for (const script of [chatAnswer([{ message: { content: '' }, finish_reason: 'length' }]), busy]) {
      model.answersChats(script)
      for (let time = 0; time < 4; time++) await expectOffline()
    }
    expect(await requestsOf(onward)).toEqual({ 'choose cut_off': 4, 'choose busy': 4 })
    await onward.close()
  })

  it.each([
    ['temperature', (sent: Sent) => sent.temperature === 0],
    ['response_format', (sent: Sent) => sent.response_format !== undefined],
    ['reasoning_effort', (sent: Sent) => sent.reasoning_effort === 'low'],
  ] as const)('asks again without %s when the server refuses it, and no longer sends it', async (parameter, isSent) => {
    const { model, onward, joe } = await openWithModel({ MODEL_REASONING_EFFORT: 'low' })
    model.answersChats(({ body: sent }, response) => {
      if (isSent(JSON.parse(sent))) return sendJson(response, 400, { error: { message: `'${parameter}' is not supported` } })
      if (isChoice(sent)) return sendJson(response, 200, choiceOf('desk-list-tickets'))
      sendJson(response, 200, callOf('desk-list-tickets', {}))
    })
    for (const subject of ['One', 'Two']) {
      const { body: answer } = await joe.post('/functions/predict', { prompt: `open a ticket with subject ${subject}` }).expect(200)
      expect(answer.functions).toMatchObject([{ name: 'desk-list-tickets' }])
    }
    expect(model.chats().map(isSent)).toEqual([true, false, false])
    await onward.close()
  })

  it('chooses without tools, and takes the arguments found offline, when the server refuses tools', async () => {
    const { model, onward, joe } = await openWithModel()
    model.answersChats(({ body: sent }, response) =>
      isChoice(sent) ? sendJson(response, 200, choiceOf(CHOICE.name)) : sendJson(response, 400, { error: { message: 'no tools' } }),
    )
    const { body: answer } = await joe.post('/functions/predict', body).expect(200)
    expect(answer).toMatchObject({ functions: [CHOICE], meta: { path: 'model' } })
    await onward.close()
  })

  it('returns the offline answer when the server does not exist', async () => {
    const { onward, expectOffline } = await openWithModel({ MODEL_BASE_URL: 'http://127.0.0.1:9/v1', EMBEDDING_MODEL: 'embedder-1' })
    await expectOffline()
    expect(await requestsOf(onward)).toMatchObject({ 'choose unreachable': 1, 'embed_functions unreachable': 1 })
    await onward.close()
  })

  it('logs neither prompts nor the key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'onward-model-'))
    const logs = { LOG_LEVEL: 'trace', LOG_FILE: join(folder, 'log') }
    const echo: Script = (received, response) =>
      sendJson(response, 500, { error: { message: `${received.body} ${received.headers.authorization}` } })
    const { onward, expectOffline } = await openWithModel({ ...logs, EMBEDDING_MODEL: 'embedder-1' }, (model) => {
      model.answersChats(echo)
      model.answersEmbeds(echo)
    })
    for (let time = 0; time < 4; time++) await expectOffline()
    await onward.close()
    const log = await readFile(logs.LOG_FILE, 'utf8')
    expect(log).toContain('the model server keeps failing')
    expect(log).toContain('functions could not be embedded')
    expect(log).not.toContain('Printer')
    expect(log).not.toContain(MODEL_KEY)
    await rm(folder, { recursive: true })
  })
})
