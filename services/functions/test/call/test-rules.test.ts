import type { PolicyRule } from '@onward/contract'
import { sendJson } from '@onward/testbed'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/learning-apps' } })
const CREATE = 'desk-create-ticket'
const URGENT = { properties: { priority: { maximum: 2 } }, required: ['priority'] }
const NONE = { allowed: 0, asked: 0, denied: 0, without_arguments: 0, without_function: 0 }
let applications = 0

/** Creates an application, and a user with an account of Desk and of Orchard. */
async function openUser() {
  onward.third.respond((_received, response) => sendJson(response, 200, {}))
  const application = await onward.makeApplication(`tested-${++applications}`)
  const user = onward.user('joe', application)
  await user.connect('desk')
  const orchard = { user_id: 'joe', app: 'orchard', credentials: { token: 't', url: onward.third.url } }
  await onward.admin('post', `/admin/applications/${application.appKey}/connected-accounts`, orchard).expect(200)
  return { user, appKey: application.appKey }
}

async function callIdOf(user: User, name: string, args: object): Promise<string> {
  const { headers } = await user.call(name, args).expect(200)
  return headers['x-call-id'] ?? ''
}

const post = (appKey: string, rules: readonly PolicyRule[]) => onward.admin('post', `/admin/applications/${appKey}/policy/test`, { rules })
const test = async (appKey: string, rules: readonly PolicyRule[]) => (await post(appKey, rules).expect(200)).body

describe('POST /admin/applications/:app_key/policy/test', () => {
  it('returns what the rules would have said about the calls in the log, and changes nothing', async () => {
    const { user, appKey } = await openUser()
    const other = await openUser()
    await callIdOf(other.user, CREATE, { subject: 'a' })
    const first = await callIdOf(user, CREATE, { subject: 'a', priority: 3 })
    await callIdOf(user, CREATE, { subject: 'a', priority: 2 })
    const last = await callIdOf(user, 'desk-get-ticket', { ticket_id: '1' })
    const rows = await onward.rows()
    onward.third.received.length = 0

    const tested = await test(appKey, [
      { functions: [CREATE], arguments: URGENT, result: 'allow' },
      { functions: [CREATE], result: 'deny' },
      { apps: ['desk'], result: 'ask' },
    ])
    expect(tested).toMatchObject({ ...NONE, calls: 3, _reached: null, allowed: 1, asked: 1, denied: 1 })
    expect(tested.functions).toEqual([
      { ...NONE, function_name: 'desk-get-ticket', asked: 1 },
      { ...NONE, function_name: CREATE, allowed: 1, denied: 1 },
    ])
    expect(tested.examples).toMatchObject([
      { call_id: last, user_id: 'joe', function_name: 'desk-get-ticket', result: 'ask', rule: 2 },
      { call_id: first, user_id: 'joe', function_name: CREATE, result: 'deny', rule: 1 },
    ])
    expect(tested.since).toBe(tested.examples[1].started_at)
    expect(await onward.rows()).toEqual(rows)
    expect(onward.third.received).toEqual([])
    expect((await onward.admin('get', `/admin/applications/${appKey}/policy`).expect(200)).body.rules).toEqual([])
  })

  it('judges calls with the arguments that the rules lock', async () => {
    const { user, appKey } = await openUser()
    await callIdOf(user, CREATE, { subject: 'a', priority: 3 })
    const rules: PolicyRule[] = [{ arguments: URGENT, result: 'allow' }, { result: 'deny' }]
    expect(await test(appKey, rules)).toMatchObject({ ...NONE, denied: 1 })
    const locking: PolicyRule = { functions: [CREATE], lock: { priority: 1 }, result: 'deny' }
    expect(await test(appKey, [...rules.slice(0, 1), locking])).toMatchObject({ ...NONE, allowed: 1 })
  })

  it('counts calls apart whose arguments are not stored, if a rule needs them, and calls of unknown functions', async () => {
    const { user, appKey } = await openUser()
    const change = async (set: object, args: object = { subject: 'a' }) => {
      const id = await callIdOf(user, CREATE, args)
      await onward.db.updateTable('call_log').set(set).where('call_id', '=', id).execute()
    }
    await change({ arguments: null })
    await change({ arguments: '"[70000 characters, not kept]"' })
    await change({ function_name: 'desk-gone' })
    const needing = await test(appKey, [{ arguments: URGENT, result: 'deny' }])
    expect(needing).toMatchObject({ ...NONE, calls: 3, without_arguments: 2, without_function: 1, examples: [] })
    const denying = await test(appKey, [{ apps: ['orchard'], arguments: URGENT, result: 'allow' }, { result: 'deny' }])
    expect(denying).toMatchObject({ ...NONE, denied: 2, without_function: 1 })
  })

  it('applies the rule for MCP clients that stands behind all others', async () => {
    const { user, appKey } = await openUser()
    const id = await callIdOf(user, 'orchard-fell-tree', {})
    expect(await test(appKey, [])).toMatchObject({ ...NONE, allowed: 1 })
    await onward.db.updateTable('call_log').set({ via: 'mcp:agent' }).where('call_id', '=', id).execute()
    expect(await test(appKey, [])).toMatchObject({ ...NONE, asked: 1, examples: [{ call_id: id, result: 'ask', rule: null }] })
    expect(await test(appKey, [{ via: ['mcp'], result: 'allow' }])).toMatchObject({ ...NONE, allowed: 1 })
  })

  it('judges a pass-through call by the rules for the functions of its app, also without its arguments', async () => {
    const { user, appKey } = await openUser()
    const id = await callIdOf(user, 'desk-passthrough-request', { url: '/tickets' })
    await onward.db.updateTable('call_log').set({ arguments: null }).where('call_id', '=', id).execute()
    const allow: PolicyRule = { apps: ['orchard'], result: 'allow' }
    const denying = await test(appKey, [allow, { functions: [CREATE], arguments: URGENT, result: 'deny' }])
    expect(denying).toMatchObject({ ...NONE, denied: 1, examples: [{ call_id: id, result: 'deny', rule: 1 }] })
    expect(await test(appKey, [{ functions: [CREATE], lock: { priority: 1 }, result: 'allow' }])).toMatchObject({ ...NONE, denied: 1 })
    expect(await test(appKey, [{ functions: [CREATE], result: 'ask' }])).toMatchObject({ ...NONE, asked: 1 })
  })

  it('judges the newest 1,000 calls, and shows 20 of them', async () => {
    const { user, appKey } = await openUser()
    const id = await callIdOf(user, CREATE, { subject: 'a' })
    const row = await onward.db.selectFrom('call_log').selectAll().where('call_id', '=', id).executeTakeFirstOrThrow()
    const copies = Array.from({ length: 1_004 }, (_, n) => ({ ...row, call_id: id.slice(0, -4) + n.toString(16).padStart(4, '0') }))
    await onward.db
      .insertInto('call_log')
      .values(copies.filter(({ call_id }) => call_id !== id))
      .execute()
    const tested = await test(appKey, [{ arguments: URGENT, result: 'allow' }, { result: 'deny' }])
    expect(tested).toMatchObject({ ...NONE, calls: 1_000, denied: 1_000 })
    expect(tested.examples).toHaveLength(20)
  })

  it('refuses what PUT refuses', async () => {
    const { appKey } = await openUser()
    const { body } = await post(appKey, [{ functions: ['desk-create-tickets'], result: 'deny' }]).expect(400)
    expect(body.error_details[0]).toMatch(/functions\[0\]: is not known here/)
    expect((await post('nobody', []).expect(404)).body.code).toBe('application_not_found')
  })
})
