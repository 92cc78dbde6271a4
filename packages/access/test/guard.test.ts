import { type Access, endpoint } from '@onward/contract'
import { assignRequestId, mount, openLog, Refusal, readBody, routesOf, sendErrors } from '@onward/runtime'
import express from 'express'
import request from 'supertest'
import { type Actor, type AuditedChange, type AuditedRequest, BOOTSTRAP, guarded, makeGuard, type RouteEntry } from '../src/index.ts'

const APPLICATIONS: Record<string, string | null> = { ak_own: 'own', ak_other: 'other', ak_both: 'both', ak_unassigned: null }
const guard = makeGuard(async (appKey) => APPLICATIONS[appKey])

const text = { type: 'string' } as const
const response = { type: 'object' } as const
const naming = { type: 'object', properties: { workspace_id: text, app_key: text } } as const
const inBoth = (role: 'viewer' | 'developer' | 'owner'): Access => ({ role, in: ['workspace_id', 'app_key'] })

const SHAPES = [
  endpoint({ method: 'get', path: '/admin/list', access: inBoth('viewer'), summary: 'List.', query: naming, response }),
  endpoint({ method: 'get', path: '/admin/apps/:app_key', access: { role: 'owner', in: ['app_key'] }, summary: 'Get.', response }),
  endpoint({
    method: 'put',
    path: '/admin/apps/:app_key',
    access: inBoth('developer'),
    action: 'app.change',
    summary: 'Put.',
    body: {
      type: 'object',
      required: ['workspace_id'],
      additionalProperties: false,
      properties: { workspace_id: text, name: text, client_secret: { ...text, writeOnly: true } },
    },
    response,
  }),
  endpoint({
    method: 'post',
    path: '/admin/either',
    access: inBoth('viewer'),
    action: 'either.change',
    summary: 'Post.',
    body: { type: 'object', anyOf: [{ type: 'object', properties: { app_key: text } }, naming] } as never,
    response,
  }),
  endpoint({
    method: 'put',
    path: '/admin/assigned/:app_key',
    access: { role: 'developer', in: ['workspace_id', 'app_key'], assigns: true },
    action: 'app.change',
    summary: 'Assign.',
    body: { type: 'object', properties: { workspace_id: text } },
    response,
  }),
  endpoint({ method: 'get', path: '/admin/anyone', access: { role: 'anyone' }, summary: 'Get.', response }),
  endpoint({ method: 'get', path: '/admin/member', access: { role: 'member' }, summary: 'Get.', query: naming, response }),
  endpoint({ method: 'post', path: '/admin/operator', access: { role: 'operator' }, action: 'all.change', summary: 'Post.', response }),
]

const person: Actor = { kind: 'person', id: 'p', name: 'p@example.com', sessionId: 's', rightsVersion: 1, operator: false, roles: {} }
const ACTORS: Record<string, Actor | undefined> = {
  nobody: undefined,
  viewer: { ...person, roles: { own: 'viewer', both: 'developer' } },
  developer: { ...person, roles: { own: 'developer', both: 'developer' } },
  owner: { ...person, roles: { own: 'owner' } },
  operator: { ...person, operator: true },
  bootstrap: BOOTSTRAP,
}

type Recorded = Partial<AuditedRequest & AuditedChange> & { readonly step: string }
const recorded: Recorded[] = []
const audit = {
  async begin(entry: AuditedRequest) {
    recorded.push({ step: 'begin', ...entry })
    return 'id'
  },
  end: async (_id: string, change: AuditedChange) => void recorded.push({ step: 'end', ...change }),
  read: async (entry: AuditedRequest) => void recorded.push({ step: 'read', ...entry }),
  denied: async (entry: AuditedRequest, code: never) => void recorded.push({ step: 'denied', ...entry, code }),
}
beforeEach(() => void recorded.splice(0))

const route = routesOf<object, undefined, RouteEntry>()
let handle = async (_changed: (before: unknown, after: unknown) => void): Promise<void> => {}
const app = express()
app.use(
  assignRequestId,
  (req, res, next) => {
    res.locals.actor = ACTORS[String(req.headers['x-actor'])]
    next()
  },
  ...readBody(10_000),
)
mount(
  app,
  {},
  SHAPES.map((shape) =>
    route(shape, async (_context, { workspaceId, noteChange }) => {
      await handle(noteChange)
      return { workspaceId }
    }),
  ),
  { checkResponses: true, guard: guarded(guard, audit) },
)
app.use(sendErrors(openLog('test', 'silent')))

async function send(actor: string, line: string, body?: object) {
  const [method = '', path = ''] = line.split(' ')
  const sent = request(app)[method as 'get'](path).set('x-actor', actor)
  const { status, body: got } = await (body === undefined ? sent : sent.send(body))
  return status === 200 ? got.workspaceId : `${status} ${got.code}`
}

describe('the guard', () => {
  it.each<[actor: string, line: string, body: object | undefined, expected: string | null]>([
    // The role.
    ['nobody', 'get /admin/anyone', undefined, null],
    ['nobody', 'get /admin/member', undefined, '401 unauthenticated'],
    ['nobody', 'get /admin/list?workspace_id=own', undefined, '401 unauthenticated'],
    ['viewer', 'get /admin/member', undefined, null],
    ['owner', 'post /admin/operator', {}, '403 role_required'],
    ['operator', 'post /admin/operator', {}, null],
    ['bootstrap', 'post /admin/operator', {}, null],
    ['viewer', 'get /admin/list?workspace_id=own', undefined, 'own'],
    ['viewer', 'put /admin/apps/ak_own', { workspace_id: 'own' }, '403 role_required'],
    ['developer', 'put /admin/apps/ak_own', { workspace_id: 'own' }, 'own'],
    ['developer', 'get /admin/apps/ak_own', undefined, '403 role_required'],
    ['owner', 'get /admin/apps/ak_own', undefined, 'own'],
    // Each workspace has its own role.
    ['viewer', 'put /admin/apps/ak_both', { workspace_id: 'both' }, 'both'],
    // What others own does not exist, whatever else the request holds.
    ['owner', 'get /admin/list?workspace_id=other', undefined, '404 workspace_not_found'],
    ['owner', 'get /admin/list?workspace_id=unknown', undefined, '404 workspace_not_found'],
    ['owner', 'get /admin/list?workspace_id=constructor', undefined, '404 workspace_not_found'],
    ['owner', 'get /admin/apps/ak_other', undefined, '404 application_not_found'],
    ['owner', 'get /admin/apps/ak_unknown', undefined, '404 application_not_found'],
    ['owner', 'get /admin/apps/ak_unassigned', undefined, '404 application_not_found'],
    ['owner', 'put /admin/apps/ak_other', { workspace_id: 'own' }, '404 application_not_found'],
    ['owner', 'put /admin/apps/ak_unassigned', { workspace_id: 'own' }, '404 application_not_found'],
    ['owner', 'put /admin/apps/ak_other', { wrong: 1 }, '404 application_not_found'],
    // A new application.
    ['developer', 'put /admin/apps/ak_unknown', { workspace_id: 'own' }, 'own'],
    // An application without a workspace, which the endpoint may assign.
    ['developer', 'put /admin/assigned/ak_unassigned', { workspace_id: 'own' }, 'own'],
    ['developer', 'put /admin/assigned/ak_unassigned', { workspace_id: 'other' }, '404 workspace_not_found'],
    ['developer', 'put /admin/assigned/ak_unassigned', {}, '404 application_not_found'],
    ['developer', 'put /admin/assigned/ak_other', { workspace_id: 'own' }, '404 application_not_found'],
    ['viewer', 'put /admin/assigned/ak_unassigned', { workspace_id: 'own' }, '403 role_required'],
    // Every occurrence counts, and an undeclared one never does.
    ['owner', 'get /admin/list?workspace_id=own&app_key=ak_other', undefined, '404 application_not_found'],
    ['developer', 'get /admin/list?workspace_id=own&app_key=ak_both', undefined, '404 application_not_found'],
    ['owner', 'get /admin/list?workspace_id=own&workspace_id=other', undefined, '400 invalid_parameters'],
    ['owner', 'put /admin/apps/ak_own', { workspace_id: ['own'] }, '400 invalid_parameters'],
    ['owner', 'put /admin/apps/ak_unknown?workspace_id=own', { workspace_id: 'other' }, '404 workspace_not_found'],
    ['owner', 'put /admin/apps/ak_unknown?workspace_id=own', { name: 'n' }, '404 application_not_found'],
    ['owner', 'post /admin/either', { app_key: 'ak_other', workspace_id: 'own' }, '404 application_not_found'],
    ['owner', 'post /admin/either', { app_key: 'ak_own' }, 'own'],
    // Without a workspace, only operators.
    ['owner', 'get /admin/list', undefined, '403 role_required'],
    ['owner', 'get /admin/list?workspace_id=', undefined, '403 role_required'],
    ['operator', 'get /admin/list', undefined, null],
    ['operator', 'get /admin/list?workspace_id=other', undefined, 'other'],
    ['operator', 'get /admin/apps/ak_other', undefined, 'other'],
    ['operator', 'get /admin/apps/ak_unknown', undefined, null],
  ])('as %s, answers %s with the body %j: %s', async (actor, line, body, expected) => {
    expect(await send(actor, line, body)).toBe(expected)
  })

  it.each([
    ['without access', { ...SHAPES[0], access: undefined }],
    ['that changes something without an action', { ...SHAPES[2], action: undefined }],
  ])('refuses an endpoint %s when the service starts', (_what, shape) => {
    expect(() =>
      mount(express(), {}, [route(shape as never, async () => ({}) as never)], { checkResponses: false, guard: guarded(guard) }),
    ).toThrow(/does not say/)
  })
})

describe('the audit log', () => {
  it('gets each change before and after it, without what is secret', async () => {
    await send('developer', 'put /admin/apps/ak_own?x=1', { workspace_id: 'own', name: 'n', client_secret: 'hidden' })
    expect(recorded).toMatchObject([
      { step: 'begin', actor: { id: 'p' }, workspaceId: 'own', action: 'app.change', target: { app_key: 'ak_own' } },
      { step: 'end', outcome: 'done', code: null, before: null, after: { workspace_id: 'own', name: 'n' } },
    ])
    expect(JSON.stringify(recorded)).not.toContain('hidden')
  })

  it('gets what the handler says that it changed', async () => {
    handle = async (noteChange) => noteChange({ name: 'old' }, { name: 'new' })
    await send('developer', 'put /admin/apps/ak_own', { workspace_id: 'own' })
    handle = async () => {}
    expect(recorded[1]).toMatchObject({ outcome: 'done', before: { name: 'old' }, after: { name: 'new' } })
  })

  it.each([
    ['refused', 'already_deleted', new Refusal('already_deleted', 'deleted')],
    ['failed', 'internal_error', new Error('a bug')],
  ])('gets a change that was %s', async (outcome, code, err) => {
    handle = async () => {
      throw err
    }
    await send('developer', 'put /admin/apps/ak_own', { workspace_id: 'own' })
    handle = async () => {}
    expect(recorded[1]).toMatchObject({ step: 'end', outcome, code })
  })

  it('gets denied attempts: with the workspace if it is the own one, also reads', async () => {
    await send('viewer', 'put /admin/apps/ak_own', { workspace_id: 'own' })
    await send('owner', 'get /admin/apps/ak_other')
    expect(recorded).toMatchObject([
      { step: 'denied', code: 'role_required', workspaceId: 'own', action: 'app.change' },
      { step: 'denied', code: 'application_not_found', workspaceId: null, action: 'read', target: { app_key: 'ak_other' } },
    ])
  })

  it('gets nothing for a read, or for a request that is not valid', async () => {
    await send('viewer', 'get /admin/list?workspace_id=own')
    await send('developer', 'put /admin/apps/ak_own', { workspace_id: 'own', wrong: 1 })
    await send('nobody', 'get /admin/member')
    expect(recorded).toEqual([])
  })
})
