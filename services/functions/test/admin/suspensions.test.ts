import { eventually, sendJson } from '@onward/testbed'
import { connectClient, createToken } from '../support/mcp-support.ts'
import { useFunctions } from '../support/support.ts'

describe('suspensions', () => {
  const onward = useFunctions()
  let applications = 0

  async function ready() {
    onward.third.respond((_received, response) => sendJson(response, 200, {}))
    const workspace = `suspended-${++applications}`
    const application = await onward.makeApplication(workspace, workspace)
    const user = onward.user('joe', application)
    await user.connect('desk')
    onward.third.received.length = 0
    return { application, user, of: { workspace_id: workspace, app_key: application.appKey } }
  }
  const put = (body: object) => onward.admin('put', '/admin/suspensions', body)
  const list = async (workspace: string) =>
    (await onward.admin('get', `/admin/suspensions?workspace_id=${workspace}`).expect(200)).body.suspensions

  it.each([['user'], ['application'], ['workspace']])(
    'refuse all requests of a suspended %s with the reason, until they end',
    async (what) => {
      const { application, user, of } = await ready()
      const { token } = await createToken(user)
      const { body: link } = await user.post('/connect/session', { app: 'desk' }).expect(200)
      const whom = { user: { ...of, user_id: 'joe' }, application: of, workspace: { workspace_id: of.workspace_id } }[what] ?? {}
      await put({ ...whom, state: 'suspended', reason: 'Unpaid invoice.' }).expect(200)

      const { body, headers } = await user.call('desk-get-ticket', { ticket_id: '1' }).expect(403)
      expect(body).toMatchObject({ code: 'suspended', error: expect.stringMatching(/ is suspended: Unpaid invoice\.$/) })
      // A refusal reads the database, so it counts against the rate limits.
      expect(headers.ratelimit).toBeDefined()
      for (const path of ['/functions/list', '/functions/predict']) await user.post(path, { prompt: 'x' }).expect(403)
      await expect(connectClient(onward.url, token, '2026-07-28')).rejects.toThrow(/403/)
      const page = await fetch(link.url)
      expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('suspended')])
      expect(onward.third.received).toEqual([])
      const other = onward.user('ann', application).post('/functions/list', {})
      await other.expect(what === 'user' ? 200 : 403)
      expect(await list(of.workspace_id)).toMatchObject([{ state: 'suspended', reason: 'Unpaid invoice.', by_operator: true }])

      const previous = async () => (await put({ ...whom, state: 'active' }).expect(200)).body.previous_state
      expect([await previous(), await previous()]).toEqual(['suspended', 'active'])
      await eventually(() => user.call('desk-get-ticket', { ticket_id: '1' }).expect(200))
      expect(await list(of.workspace_id)).toEqual([])
    },
  )

  it('let a user who may only read call functions of type QUERY, and nothing else', async () => {
    const { user, of } = await ready()
    await put({ ...of, state: 'read_only', reason: 'Being moved.' }).expect(200)
    await user.call('desk-get-ticket', { ticket_id: '1' }).expect(200)
    const { body } = await user.call('desk-create-ticket', { subject: 'a' }).expect(403)
    expect(body).toMatchObject({ code: 'suspended', error: 'the application may only call functions of type QUERY: Being moved.' })
    await user.call('desk-passthrough-request', { method: 'GET', url: '/tickets' }).expect(403)
    await user.call('desk-create-ticket', { subject: 'a' }, '?dry_run=true').expect(403)
    expect(onward.third.received).toHaveLength(1)
    // The strictest counts.
    await put({ ...of, user_id: 'joe', state: 'suspended', reason: 'Unusual activity.' }).expect(200)
    await user.call('desk-get-ticket', { ticket_id: '1' }).expect(403)
    await put({ ...of, state: 'active' }).expect(200)
    await put({ ...of, user_id: 'joe', state: 'active' }).expect(200)
  })

  it('need a reason, an application of the workspace, and the application of a user', async () => {
    const { of } = await ready()
    await put({ ...of, state: 'suspended' }).expect(400)
    await put({ workspace_id: of.workspace_id, user_id: 'joe', state: 'suspended', reason: 'r' }).expect(400)
    const { body } = await put({ ...of, workspace_id: 'other', state: 'suspended', reason: 'r' }).expect(404)
    expect(body).toMatchObject({ code: 'application_not_found' })
    const mistyped = await put({ workspace_id: 'no-such', state: 'suspended', reason: 'r' }).expect(404)
    expect(mistyped.body).toMatchObject({ code: 'workspace_not_found' })
    expect(await list(of.workspace_id)).toEqual([])
  })
})
