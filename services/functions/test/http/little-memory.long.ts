import { gzipSync } from 'node:zlib'
import { type FunctionsProcess, startFunctionsProcess } from '../support/functions-process.ts'
import { type Functions, openFunctions, SECRETS, type User } from '../support/support.ts'

const CALLS = 8

let onward: Functions
/** Users of different applications: none of them may hold enough memory for all calls. */
let users: User[]
let service: FunctionsProcess

jest.setTimeout(240_000)

function answers(text: string): void {
  const packed = gzipSync(text)
  onward.third.respond((_received, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed))
}

/** Makes the same call eight times at once and returns the raw output text of each. */
async function callAtOnce(name: string, body: string, headers: (at: number) => Record<string, string> = () => ({})): Promise<string[]> {
  const calls = users.map(async (user, at) => {
    const init = { method: 'POST', headers: { ...user.headers, 'content-type': 'application/json', ...headers(at) }, body }
    const response = await fetch(`${service.url}/functions/${name}/call`, init)
    const text = await response.text()
    expect([response.status, text.slice(0, 29)]).toEqual([200, '{"network_code":200,"output":'])
    return text.slice(29, -1)
  })
  return await Promise.all(calls)
}

/** Makes the same prediction eight times at once and returns the name of the first function of each. */
async function predictAtOnce(body: string): Promise<string[]> {
  const predictions = users.map(async (user) => {
    const init = { method: 'POST', headers: { ...user.headers, 'content-type': 'application/json' }, body }
    const response = await fetch(`${service.url}/functions/predict`, init)
    return ((await response.json()) as { functions: { name: string }[] }).functions[0]?.name ?? `${response.status}`
  })
  return await Promise.all(predictions)
}

/** Returns a JSON list of about `bytes` bytes that repeats one item. */
function listOf(text: string, bytes: number): string {
  return `[${Array(Math.floor((bytes - 1) / (text.length + 1)))
    .fill(text)
    .join(',')}]`
}

/** An object with a large index as its key needs far more memory than its bytes suggest. */
const SPARSE = '{"1000":1}'

describe(`a process with 512 MB that gets ${CALLS} calls at once`, () => {
  beforeAll(async () => {
    onward = await openFunctions({ builtIn: true })
    const names = Array.from({ length: CALLS }, (_, at) => `large-${at}`)
    users = await Promise.all(names.map(async (name) => onward.user('joe', await onward.makeApplication(name))))
    for (const user of users) for (const app of ['notes', 'desk'] as const) await user.connect(app)
    const settings = { CHECK_RESPONSES: 'false', CALL_TIMEOUT_MS: '120000', NODE_OPTIONS: '--max-old-space-size=512' }
    service = await startFunctionsProcess({ ...onward.environment, ...settings })
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
  })

  it.each(['{}', '{"a":[]}'])('returns 10 MB of %s as it came to all of them', async (item) => {
    const text = listOf(item, 10 * 1_048_576)
    answers(text)
    for (const output of await callAtOnce('notes-read-notes', '{}')) expect(output === text).toBe(true)
  })

  it('redacts secrets in 90,000 objects for all of them', async () => {
    const list = listOf(SPARSE, 90_000 * (SPARSE.length + 1))
    answers(list.replace('[', `["${SECRETS.desk.api_key}",`))
    const written = list.replace('[', '["[redacted]",')
    for (const output of await callAtOnce('desk-list-labels', '{}')) expect(output === written).toBe(true)
  })

  /** As many objects as a body may have keys, and text up to about 1 MB. */
  const list = listOf(SPARSE, 26_000 * (SPARSE.length + 1))
  const filler = 'x'.repeat(700_000)
  const body = `{"note":{"list":${list},"text":"${filler}"},"_variables":{}}`

  it('fills variables in 1 MB with 26,000 objects for all of them', async () => {
    answers('{}')
    expect(await callAtOnce('notes-add-note', body)).toEqual(Array(CALLS).fill('{}'))
  })

  it('hashes 1 MB with 26,000 objects for the Idempotency-Key of all of them', async () => {
    answers('{}')
    const keyed = body.replace(',"_variables":{}', '')
    expect(await callAtOnce('notes-add-note', keyed, (at) => ({ 'idempotency-key': `key-${at}` }))).toEqual(Array(CALLS).fill('{}'))
  })

  it('predicts with 26,000 objects as variables for all of them', async () => {
    const predicted = await predictAtOnce(
      `{"prompt":"add a note","predict_arguments":true,"_variables":{"note":{"list":${list},"text":"${filler}"}}}`,
    )
    expect(predicted).toEqual(Array(CALLS).fill('notes-add-note'))
  })
})
