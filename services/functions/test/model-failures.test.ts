import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Script, sendJson } from '@onward/testbed'
import { MODEL_KEY, openScriptedModel, type ScriptedModel } from './scripted-model.ts'
import { type Functions, openFunctions } from './support.ts'

const CHOICE = { name: 'desk-create-ticket', arguments: { subject: 'Printer' } }
const body = { prompt: 'open a ticket with subject "Printer"', predict_arguments: true }

async function openWithModel(env: Readonly<Record<string, string>> = {}, prepare: (model: ScriptedModel) => void = () => {}) {
  const model = await openScriptedModel()
  prepare(model)
  const onward = await openFunctions({ env: { ...model.env, MODEL_NAME: 'chooser-1', ...env } })
  const joe = onward.user('joe')
  /** Predicts, and expects the answer that is given without a model. */
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

const chatAnswer =
  (choices: unknown): Script =>
  (_received, response) =>
    sendJson(response, 200, { choices })

describe('a model server that is of no help', () => {
  let shared: Awaited<ReturnType<typeof openWithModel>>
  beforeAll(async () => {
    shared = await openWithModel()
  })

  it.each<[string, Script, string]>([
    ['answers HTML', (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'), 'invalid'],
    ['answers broken JSON', (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a"'), 'invalid'],
    ['answers nothing', (_, response) => void response.writeHead(204).end(), 'invalid'],
    ['gives no choices', chatAnswer(undefined), 'invalid'],
    ['gives no message', chatAnswer([{}]), 'invalid'],
    ['gives null', chatAnswer([{ message: null }]), 'invalid'],
    ['calls no list', chatAnswer([{ message: { tool_calls: 'desk-list-tickets' } }]), 'invalid'],
    ['calls nothing of a name', chatAnswer([{ message: { tool_calls: [{ function: {} }] } }]), 'invalid'],
    ['was cut off', chatAnswer([{ message: { content: 'I think' }, finish_reason: 'length' }]), 'invalid'],
    ['refuses the key', (_, response) => sendJson(response, 401, { error: { message: MODEL_KEY } }), 'refused'],
    ['sends elsewhere', (_, response) => void response.writeHead(307, { location: '/v1/other' }).end(), 'refused'],
    ['fails', (_, response) => sendJson(response, 500, {}), 'refused'],
    ['breaks off', (_, response) => void response.destroy(), 'unreachable'],
    ['answers far too much', (_, response) => void response.writeHead(200).end(Buffer.alloc(20_000_000, ' ')), 'unreachable'],
  ])('%s: the offline answer is given', async (_what, script, outcome) => {
    const { model, onward, joe, expectOffline } = shared
    const key = `choose ${outcome}`
    const { [key]: before = 0 } = await requestsOf(onward)
    model.answersChats(script)
    await expectOffline()
    expect(await requestsOf(onward)).toMatchObject({ [key]: before + 1 })
    // So that the next one is not left unasked.
    model.callsNothing()
    await joe.post('/functions/predict', body).expect(200, { functions: [] })
  })

  it('is not waited for longer than its deadline', async () => {
    const { model, onward, joe, expectOffline } = await openWithModel()
    model.answersChats(() => {})
    await expectOffline()
    const { body: shown } = await joe.post('/functions/desk-create-ticket/get', { prompt: body.prompt }).expect(200)
    expect(shown.arguments).toMatchObject(CHOICE.arguments)
    expect(await requestsOf(onward)).toEqual({ 'choose timed_out': 1, 'fill timed_out': 1 })
    await onward.close()
  })

  it('is left alone after three failures in a row', async () => {
    const { model, onward, expectOffline } = await openWithModel()
    model.answersChats((_received, response) => sendJson(response, 503, {}))
    for (let time = 0; time < 5; time++) await expectOffline()
    expect(model.chats()).toHaveLength(3)
    expect(await requestsOf(onward)).toEqual({ 'choose refused': 3, 'choose not_sent': 2 })
    await onward.close()
  })

  it('is asked on when single prompts are refused', async () => {
    const { model, onward, expectOffline } = await openWithModel()
    model.answersChats((_received, response) => sendJson(response, 400, {}))
    for (let time = 0; time < 5; time++) await expectOffline()
    expect(model.chats()).toHaveLength(5)
    await onward.close()
  })

  it('may not be there at all', async () => {
    const { onward, expectOffline } = await openWithModel({ MODEL_BASE_URL: 'http://127.0.0.1:9/v1', EMBEDDING_MODEL: 'embedder-1' })
    await expectOffline()
    expect(await requestsOf(onward)).toMatchObject({ 'choose unreachable': 1, 'embed_functions unreachable': 1 })
    await onward.close()
  })

  it('leaves neither prompts nor the key in the log', async () => {
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
