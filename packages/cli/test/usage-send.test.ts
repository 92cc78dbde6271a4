import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { openStage, type Stage } from './stage.ts'

type Counted = { readonly customer: string; readonly value: number; readonly time: string }

/** Billing systems that count each id once: how they read a record, and what they answer to a known one. */
const SYSTEMS = {
  stripe: {
    key: 'STRIPE_API_KEY',
    path: '/v1/billing/meter_events',
    read(body: string) {
      const form = new URLSearchParams(body)
      const time = new Date(Number(form.get('timestamp')) * 1_000).toISOString()
      const counted = { customer: form.get('payload[stripe_customer_id]'), value: Number(form.get('payload[value]')), time }
      return { id: form.get('identifier'), name: form.get('event_name'), counted }
    },
    duplicate: [400, { error: { type: 'invalid_request_error', message: 'An event already exists with identifier x.' } }],
  },
  openmeter: {
    key: 'OPENMETER_API_KEY',
    path: '/api/v1/events',
    read(body: string) {
      const { id, source, subject, time, type, data } = JSON.parse(body)
      return { id: `${source}/${id}`, name: type, counted: { customer: subject, value: data.tasks, time: new Date(time).toISOString() } }
    },
    duplicate: [204, {}],
  },
  lago: {
    key: 'LAGO_API_KEY',
    path: '/api/v1/events',
    read(body: string) {
      const { transaction_id, external_subscription_id, code, timestamp, properties } = JSON.parse(body).event
      const time = new Date(timestamp * 1_000).toISOString()
      return { id: transaction_id, name: code, counted: { customer: external_subscription_id, value: properties.tasks, time } }
    },
    duplicate: [422, { status: 422, error_details: { transaction_id: ['value_already_exist'] } }],
  },
} as const

let stage: Stage
let billing: ScriptedServer
let folder: string
let users: { app_key: string; user_id: string; tasks: number }[]
let counted: Map<string, Counted>
/** What the billing system does with the next records, after it has counted them or instead. */
let fault: 'none' | 'no response' | 'refuse' | 'down'

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-usage-'))
  stage = await openStage()
  billing = await openScriptedServer()
  users = [
    { app_key: 'app-1', user_id: 'ann', tasks: 3 },
    { app_key: 'app-1', user_id: 'ben', tasks: 4 },
  ]
  counted = new Map()
  fault = 'none'
  stage.insights.respond(({ url }, response) => {
    if (!url.includes('/usage/')) return sendJson(response, 200, { workspaces: [{ workspace_id: 'acme' }] })
    return sendJson(response, 200, { month: '2026-02', final: false, final_at: '2026-04-05T01:00:00.000Z', users, _cursor: null })
  })
  await writeFile(join(folder, 'customers.json'), JSON.stringify({ 'app-1': { ann: 'cus_ann', '*': 'cus_rest' } }))
})

afterEach(async () => {
  await stage.close()
  await billing.close()
  await rm(folder, { recursive: true })
})

function serve(system: keyof typeof SYSTEMS): void {
  const { path, read, duplicate } = SYSTEMS[system]
  billing.respond(({ url, headers, body }, response, request) => {
    if (url !== path || headers.authorization !== 'Bearer key-of-billing') return sendJson(response, 401, {})
    if (fault === 'refuse') return sendJson(response, 400, { error: 'no such customer' })
    if (fault === 'down') return sendJson(response, 503, {})
    const { id, name, counted: record } = read(body)
    expect([name, String(id).length]).toEqual(['onward_tasks', expect.any(Number)])
    expect(String(id).length).toBeLessThanOrEqual(100)
    if (counted.has(String(id))) return sendJson(response, duplicate[0], duplicate[1])
    counted.set(String(id), record as Counted)
    if (fault === 'no response') request.socket.destroy()
    else sendJson(response, 200, {})
  })
}

async function run(system: keyof typeof SYSTEMS, args: readonly string[] = ['--customers', 'customers.json']) {
  const all = [
    'usage',
    'send',
    '--to',
    system,
    '--month',
    '2026-02',
    '--journal',
    'journal.ndjson',
    '--url',
    billing.url,
    '--json',
    ...args,
  ]
  const { code, out, err } = await stage.run(all, { env: { ...stage.env, [SYSTEMS[system].key]: 'key-of-billing' }, cwd: folder })
  return { code, err, total: out === '' ? undefined : JSON.parse(out) }
}

const sumOf = (customer: string) =>
  [...counted.values()].filter((each) => each.customer === customer).reduce((sum, { value }) => sum + value, 0)

describe.each(Object.keys(SYSTEMS) as (keyof typeof SYSTEMS)[])('usage send --to %s', (system) => {
  beforeEach(() => serve(system))

  it('sends the tasks of each user once, and later what was added', async () => {
    const first = await run(system)
    expect([first.code, first.total]).toEqual([0, expect.objectContaining({ sent: 2, tasks: 7, sent_before: 0, refused: 0 })])
    expect([...counted.values()]).toContainEqual({ customer: 'cus_ann', value: 3, time: '2026-02-28T23:59:59.000Z' })
    users = [{ app_key: 'app-1', user_id: 'ann', tasks: 5 }, ...users.slice(1)]
    expect((await run(system)).total).toMatchObject({ sent: 1, tasks: 2, sent_before: 1 })
    expect((await run(system)).total).toMatchObject({ sent: 0, sent_before: 2 })
    expect([sumOf('cus_ann'), sumOf('cus_rest'), billing.received.length]).toEqual([5, 4, 3])
  })

  it('counts nothing twice when responses are lost and the run is killed, although the counts grow until the next run', async () => {
    fault = 'no response'
    const lost = await run(system)
    expect([lost.code, lost.total]).toEqual([1, expect.objectContaining({ sent: 0, failed: 2 })])
    expect(lost.err).toContain('failed: app-1 ann, 3 tasks: no response from 127.0.0.1:')
    fault = 'none'
    users = [{ app_key: 'app-1', user_id: 'ann', tasks: 5 }, ...users.slice(1)]
    expect((await run(system)).total).toMatchObject({ sent: 3, tasks: 9, failed: 0 })
    // As if the process was killed before it stored the last result, in the middle of a line.
    const journal = join(folder, 'journal.ndjson')
    const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n')
    await writeFile(journal, `${lines.slice(0, -1).join('\n')}\n${lines.at(-1)?.slice(0, 20)}`)
    await writeFile(`${journal}.lock`, '999999999')
    expect((await run(system)).code).toBe(0)
    expect((await run(system)).total).toMatchObject({ sent: 0, sent_before: 2 })
    expect([sumOf('cus_ann'), sumOf('cus_rest')]).toEqual([5, 4])
  })

  it('reports refused records with the reason, and sends them when that is corrected', async () => {
    fault = 'refuse'
    const { code, err, total } = await run(system)
    expect([code, total]).toEqual([1, expect.objectContaining({ sent: 0, refused: 2 })])
    expect(err).toContain('refused: app-1 ben, 4 tasks: 127.0.0.1:')
    expect(err).toContain('no such customer')
    fault = 'down'
    expect((await run(system)).total).toMatchObject({ failed: 2 })
    fault = 'none'
    expect((await run(system)).total).toMatchObject({ sent: 2, tasks: 7 })
    expect([sumOf('cus_ann'), sumOf('cus_rest')]).toEqual([3, 4])
  })
})

describe('usage send', () => {
  beforeEach(() => serve('stripe'))

  it('names users without a customer, and sends the others', async () => {
    await writeFile(join(folder, 'customers.json'), JSON.stringify({ 'app-1': { ann: 'cus_ann' } }))
    const { code, err, total } = await run('stripe')
    expect([code, total]).toEqual([1, expect.objectContaining({ sent: 1, without_customer: 1 })])
    expect(err).toContain('without customer: app-1 ben, 4 tasks: add the user to --customers, or give --customer')
    expect((await run('stripe', ['--customer', 'cus_{workspace_id}_{user_id}'])).total).toMatchObject({ sent: 1, sent_before: 1 })
    expect(sumOf('cus_acme_ben')).toBe(4)
  })

  it('does not send the tasks of a deleted user again under its pseudonym', async () => {
    await run('stripe')
    users = [{ app_key: 'app-1', user_id: `deleted-${'0a'.repeat(16)}`, tasks: 3 }, ...users.slice(1)]
    const { code, err, total } = await run('stripe')
    expect([code, total]).toEqual([1, expect.objectContaining({ sent: 0, sent_before: 1, without_customer: 1 })])
    expect(err).toContain('the user was deleted')
    expect(counted.size).toBe(2)
  })

  it('does not repeat a record that Stripe may have forgotten', async () => {
    fault = 'no response'
    await run('stripe')
    fault = 'none'
    const journal = join(folder, 'journal.ndjson')
    const text = await readFile(journal, 'utf8')
    await writeFile(journal, text.replaceAll('"begun":"2026-03-10', '"begun":"2026-03-08'))
    const { code, err, total } = await run('stripe')
    expect([code, total]).toEqual([1, expect.objectContaining({ sent: 0, uncertain: 2 })])
    expect(err).toContain('If it did not arrive, remove its line from journal.ndjson')
    expect(sumOf('cus_ann')).toBe(3)
  })

  it('does not take the refusal of a repeated record as proof that it did not arrive', async () => {
    fault = 'no response'
    await run('stripe')
    fault = 'refuse'
    const { total, err } = await run('stripe')
    expect(total).toMatchObject({ sent: 0, refused: 0, uncertain: 2 })
    expect(err).toContain('no such customer')
    fault = 'none'
    expect((await run('stripe')).total).toMatchObject({ sent: 2 })
    expect([sumOf('cus_ann'), sumOf('cus_rest')]).toEqual([3, 4])
  })

  it('refuses a journal that another run uses, or that belongs to another system', async () => {
    await run('stripe')
    expect((await run('lago')).err).toContain('journal.ndjson is not a journal of records for lago')
    await writeFile(join(folder, 'journal.ndjson.lock'), String(process.pid))
    expect((await run('stripe')).err).toContain(`process ${process.pid} uses `)
  })

  it('needs a key and customers', async () => {
    expect((await run('stripe', [])).err).toContain('give --customers, --customer or both')
    const { code, err } = await stage.run(['usage', 'send', '--to', 'stripe', '--month', '2026-02', '--journal', 'a', '--customer', 'x'])
    expect([code, err]).toEqual([2, expect.stringContaining('set STRIPE_API_KEY, or STRIPE_API_KEY_FILE')])
  })
})
