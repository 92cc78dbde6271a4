import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TASK_QUEUE } from '@onward/contract'
import { eventually, openStoredQueues } from '@onward/testbed'
import { sql } from 'kysely'
import { ADMIN_TOKEN, type Functions, openFunctions } from './support.ts'

let onward: Functions
let folder: string
const answers: string[] = []

const CANARIES = {
  desk: { api_key: 'canary-desk-0123456789' },
  maps: { api_key: 'canary-maps-0123456789' },
  crm: { token: 'canary-crm-0123456789' },
  phone: { username: 'canary-user-0123456789', password: 'canary-pass-0123456789' },
} as const

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-log-'))
  onward = await openFunctions({ env: { LOG_LEVEL: 'trace', LOG_FILE: join(folder, 'log') } })
  const joe = onward.user('joe')
  for (const app of ['desk', 'maps', 'crm', 'phone'] as const) {
    await joe.connect(app, CANARIES[app])
    const calls: [string, number][] = [
      ['', 200],
      ['this is no JSON: ', 500],
    ]
    for (const [before, status] of calls) {
      onward.third.answer(({ headers, url }, response) => void response.writeHead(status).end(before + JSON.stringify({ headers, url })))
      answers.push((await joe.call(`${app}-passthrough-request`, { url: '/x' })).text)
    }
    onward.third.answer((_received, _response, request) => void request.socket.destroy())
    answers.push((await joe.call(`${app}-passthrough-request`, { url: '/x' })).text)
    await joe.connect(app, { ...CANARIES[app], url: 'http://127.0.0.1:1' })
    answers.push((await joe.call(`${app}-passthrough-request`, { url: '/x' })).text)
  }
  const query = new URLSearchParams({ app_key: 'app-1', user_id: 'joe', hash: joe.headers.Hash })
  answers.push((await onward.user('nobody').post(`/nowhere?${query}`)).text)
  // A failure that is logged whole: the table is not there.
  await sql`alter table connected_account rename to moved_account`.execute(onward.db)
  answers.push((await joe.call('desk-list-labels')).text, (await joe.post('/apps/desk/get')).text)
  await sql`alter table moved_account rename to connected_account`.execute(onward.db)
  answers.push((await onward.admin('get', '/metrics')).text)
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** Every form in which a secret could lie around. */
function forms(): string[] {
  const { username, password } = CANARIES.phone
  const secrets = [...Object.values(CANARIES).flatMap((each) => Object.values(each)), onward.application.secret, `${username}:${password}`]
  return [...secrets, ADMIN_TOKEN].flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
  ])
}

function expectClean(where: string): void {
  for (const form of forms()) expect(where.includes(form) ? form : 'none').toBe('none')
}

describe('secrets', () => {
  it('are in no table of the database', async () => {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(onward.db)
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['application', 'connected_account', 'call_log', 'outbox']))
    let dump = ''
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string }>`select row_to_json(t)::text as text from ${sql.table(name)} t`.execute(onward.db)
      dump += rows.map(({ text }) => text).join('\n')
    }
    expect(dump).toContain('desk-passthrough-request')
    expect(dump).toContain('[redacted]')
    expectClean(dump)
  })

  it('are not in the queue', async () => {
    const queues = openStoredQueues({ url: onward.suite.queueUrl, prefix: onward.suite.queuePrefix })
    const jobs = await eventually(async () => {
      const found = await queues.jobs(TASK_QUEUE)
      expect(found.length).toBeGreaterThan(0)
      return found
    })
    expectClean(JSON.stringify(jobs.map(({ data, opts }) => [data, opts])))
    await queues.close()
  })

  it('are in no answer and no error', () => {
    expect(answers.join('')).toContain('[redacted]')
    expectClean(answers.join('\n'))
  })

  it('are not in the log, nor is a hash', async () => {
    const log = await readFile(join(folder, 'log'), 'utf8')
    expect(log).toContain('a request failed')
    expectClean(log)
    expect(log).not.toContain(onward.user('joe').headers.Hash)
  })

  it('of one row do not open in another', async () => {
    const accounts = await onward.db.selectFrom('connected_account').selectAll().where('app', '=', 'crm').orderBy('id', 'desc').execute()
    const [last, first] = accounts
    await onward.db
      .updateTable('connected_account')
      .set({ sealed_credentials: first?.sealed_credentials as Buffer })
      .where('id', '=', String(last?.id))
      .execute()
    const { body } = await onward.user('joe').call('crm-list-contacts').expect(500)
    expect(body).toEqual({ error: 'the service failed; this is not your fault', error_details: [], code: 'internal_error' })
  })
})
