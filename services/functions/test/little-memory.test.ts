import { gzipSync } from 'node:zlib'
import { type FunctionsProcess, startFunctionsProcess } from './functions-process.ts'
import { type Functions, openFunctions, SECRETS, type User } from './support.ts'

const CALLS = 8

let onward: Functions
let joe: User
let service: FunctionsProcess

jest.setTimeout(240_000)

function answers(text: string): void {
  const packed = gzipSync(text)
  onward.third.answer((_received, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed))
}

/** Makes the same call so often at once, and gives its output each time, as it is written in the answer. */
async function callAtOnce(name: string, body: string, headers: (at: number) => Record<string, string> = () => ({})): Promise<string[]> {
  const calls = Array.from({ length: CALLS }, async (_, at) => {
    const init = { method: 'POST', headers: { ...joe.headers, 'content-type': 'application/json', ...headers(at) }, body }
    const answer = await fetch(`${service.url}/functions/${name}/call`, init)
    const text = await answer.text()
    expect([answer.status, text.slice(0, 29)]).toEqual([200, '{"network_code":200,"output":'])
    return text.slice(29, -1)
  })
  return await Promise.all(calls)
}

/** Makes the same prediction so often at once, and gives the name of the first function each time. */
async function predictAtOnce(body: string): Promise<string[]> {
  const predictions = Array.from({ length: CALLS }, async () => {
    const init = { method: 'POST', headers: { ...joe.headers, 'content-type': 'application/json' }, body }
    const answer = await fetch(`${service.url}/functions/predict`, init)
    return ((await answer.json()) as { functions: { name: string }[] }).functions[0]?.name ?? `${answer.status}`
  })
  return await Promise.all(predictions)
}

/** Many of the same in a list, in so many bytes. */
function listOf(text: string, bytes: number): string {
  return `[${Array(Math.floor((bytes - 1) / (text.length + 1)))
    .fill(text)
    .join(',')}]`
}

/** What an object with this key costs is not to be seen from its bytes. */
const SPARSE = '{"1000":1}'

describe(`${CALLS} calls at once, of a process with little memory,`, () => {
  beforeAll(async () => {
    onward = await openFunctions({ builtIn: true })
    joe = onward.user('joe')
    for (const app of ['notes', 'desk'] as const) await joe.connect(app)
    const settings = { CHECK_ANSWERS: 'false', CALL_TIMEOUT_MS: '120000', NODE_OPTIONS: '--max-old-space-size=512' }
    service = await startFunctionsProcess({ ...onward.environment, ...settings })
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
  })

  it.each(['{}', '{"a":[]}'])('are all answered with a long list of %s as text', async (item) => {
    const text = listOf(item, 10 * 1_048_576)
    answers(text)
    const written = JSON.stringify(text)
    for (const output of await callAtOnce('notes-read-notes', '{}')) expect(output === written).toBe(true)
  })

  it('are all answered with secrets replaced in many objects', async () => {
    const list = listOf(SPARSE, 90_000 * (SPARSE.length + 1))
    answers(list.replace('[', `["${SECRETS.desk.api_key}",`))
    const written = list.replace('[', '["[redacted]",')
    for (const output of await callAtOnce('desk-list-labels', '{}')) expect(output === written).toBe(true)
  })

  const body = `{"note":{"list":${listOf(SPARSE, 1_048_000)}},"_variables":{}}`

  it('are all answered with variables for many objects', async () => {
    answers('{}')
    expect(await callAtOnce('notes-add-note', body)).toEqual(Array(CALLS).fill('{}'))
  })

  it('are all answered with an Idempotency-Key for many objects', async () => {
    answers('{}')
    const keyed = body.replace(',"_variables":{}', '')
    expect(await callAtOnce('notes-add-note', keyed, (at) => ({ 'idempotency-key': `key-${at}` }))).toEqual(Array(CALLS).fill('{}'))
  })

  it('are all answered with a prediction for many objects', async () => {
    const predicted = await predictAtOnce(
      `{"prompt":"add a note","predict_arguments":true,"_variables":{"note":{"list":${listOf(SPARSE, 1_000_000)}}}}`,
    )
    expect(predicted).toEqual(Array(CALLS).fill('notes-add-note'))
  })
})
