import { randomBytes } from 'node:crypto'
import { openAssignmentTokens, openEmbedTokens, openSessionTokens } from '@onward/access'
import { ADMIN_TOKEN } from '@onward/testbed'
import request from 'supertest'
import { putMember, putPerson } from '../src/db/people.ts'
import { beginSession, signAccess } from '../src/people/sessions.ts'
import { task } from './insights.ts'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)
const sessions = openSessionTokens(ADMIN_TOKEN)
const assignments = openAssignmentTokens(ADMIN_TOKEN)

afterEach(() => void jest.restoreAllMocks())

type Holder = { readonly kind?: 'person' | 'token'; readonly operator?: boolean }

/** Puts an application of the workspace through the console's API: as a developer of the workspace, unless the holder is an operator. */
async function put(appKey: string, more: object = {}, { kind = 'person', operator = false }: Holder = {}) {
  const person = await putPerson(insights.db, `${randomBytes(6).toString('hex')}@example.com`, operator)
  if (!operator) await putMember(insights.db, workspace.id, person.id, 'developer', '')
  const of = { personId: person.id, kind: kind === 'token' ? ('token' as const) : ('browser' as const), name: 'p', workspaceId: null }
  const role = kind === 'token' ? ('developer' as const) : null
  const { session } = await beginSession(insights.db, { ...of, ...(role && { workspaceId: workspace.id }), role, days: 1 })
  const { accessToken: token } = await signAccess(insights.db, sessions, session)
  return await request(insights.url)
    .put(`/console/api/insights/admin/applications/${appKey}`)
    .set('authorization', `Bearer ${token}`)
    .send({ workspace_id: workspace.id, ...more })
}

const assignmentOf = async (appKey: string, workspaceId = workspace.id) => await assignments.sign({ appKey, workspaceId })

const storedWorkspaceOf = async (appKey: string) =>
  (await insights.db.selectFrom('application').select('workspace_id').where('app_key', '=', appKey).executeTakeFirst())?.workspace_id

describe('a member who puts an App-Key that belongs to no workspace', () => {
  it.each(['person', 'token'] as const)('is refused as a %s without an assignment, and learns what to do', async (kind) => {
    const { status, body } = await put(`unknown-${kind}`, {}, { kind })
    expect([status, body.code]).toEqual([403, 'assignment_required'])
    expect(body.error).toContain('send PUT /admin/applications/:app_key to functions, and the assignment that it returns here')
    expect(await storedWorkspaceOf(`unknown-${kind}`)).toBeUndefined()
  })

  it('is refused also if its tasks were counted before', async () => {
    await insights.consume([task('counted', 'joe')])
    expect((await put('counted')).body.code).toBe('assignment_required')
    expect(await storedWorkspaceOf('counted')).toBeNull()
  })

  it.each<[string, (appKey: string) => Promise<string>]>([
    ['of another App-Key', async () => await assignmentOf('another')],
    ['of another workspace', async (appKey) => await assignmentOf(appKey, 'another')],
    [
      'that has expired',
      async (appKey) => {
        const now = Date.now()
        jest.spyOn(Date, 'now').mockReturnValue(now - 46_000)
        const token = await assignmentOf(appKey)
        jest.restoreAllMocks()
        return token
      },
    ],
    [
      'that was signed with another key',
      async (appKey) => await openAssignmentTokens('another-admin-token').sign({ appKey, workspaceId: workspace.id }),
    ],
    [
      'that is the token of an embedded page',
      async (appKey) => {
        const holder = { sessionId: 's', workspaceId: workspace.id, appKey, userId: appKey, views: [] }
        return (await openEmbedTokens(ADMIN_TOKEN).sign(holder)).token
      },
    ],
    ['that is no token', async () => 'none'],
  ])('is refused with an assignment %s', async (_what, sign) => {
    const appKey = `refused-${workspace.id}`
    const { status, body } = await put(appKey, { assignment: await sign(appKey) })
    expect([status, body.code]).toEqual([403, 'assignment_required'])
    expect(await storedWorkspaceOf(appKey)).toBeUndefined()
  })

  it.each(['person', 'token'] as const)('may assign it as a %s with the assignment, and then needs none', async (kind) => {
    const appKey = `mine-${kind}`
    const { status } = await put(appKey, { assignment: await assignmentOf(appKey) }, { kind })
    expect([status, await storedWorkspaceOf(appKey)]).toEqual([200, workspace.id])
    const { body } = await put(appKey, { on_limit: 'block' }, { kind })
    expect(body).toEqual({ app_key: appKey, workspace_id: workspace.id, limit_period: 30, on_limit: 'block' })
  })

  it('may assign it with the assignment if its tasks were counted before', async () => {
    await insights.consume([task('early', 'joe')])
    expect((await put('early', { assignment: await assignmentOf('early') })).status).toBe(200)
    expect(await storedWorkspaceOf('early')).toBe(workspace.id)
  })
})

describe('the origins that may embed pages', () => {
  it('are added by owners only', async () => {
    await put('embedded', { assignment: await assignmentOf('embedded'), embed_origins: ['https://a.example.com'] })
    expect((await put('embedded', { embed_origins: ['https://a.example.com', 'https://b.example.com'] })).body.code).toBe('role_required')
    expect((await put('embedded', { embed_origins: ['https://b.example.com'] }, { operator: true })).status).toBe(200)
    expect((await put('embedded', { embed_origins: [] })).status).toBe(200)
  })
})

describe('an assignment', () => {
  it('does not move an application of another workspace', async () => {
    const other = await insights.workspace()
    const { status, body } = await put(other.appKey, { assignment: await assignmentOf(other.appKey) })
    expect([status, body.code]).toEqual([404, 'application_not_found'])
    expect(await storedWorkspaceOf(other.appKey)).toBe(other.id)
  })

  it('is not needed by the administrator or an operator', async () => {
    await insights.admin.put('/admin/applications/by-admin', { workspace_id: workspace.id }).expect(200)
    expect((await put('by-operator', {}, { operator: true })).status).toBe(200)
  })

  it('is not in the audit log', async () => {
    const assignment = await assignmentOf('audited')
    expect((await put('audited', { assignment, on_limit: 'block' })).status).toBe(200)
    expect((await put('audited-too', { assignment })).status).toBe(403)
    const { body } = await insights.admin.get(`/admin/audit?workspace_id=${workspace.id}`).expect(200)
    expect(body.entries).toMatchObject([
      { outcome: 'refused', code: 'assignment_required', target: { app_key: 'audited-too' } },
      { outcome: 'done', after: { workspace_id: workspace.id, on_limit: 'block' } },
      {},
      {},
    ])
    expect(JSON.stringify(body)).not.toContain(assignment)
  })
})
