import * as accountsAdmin from '../src/admin/accounts.ts'
import * as applicationsAdmin from '../src/admin/applications.ts'
import * as approvalsAdmin from '../src/admin/approvals.ts'
import * as appsAdmin from '../src/admin/apps.ts'
import * as audit from '../src/admin/audit.ts'
import * as statisticsAdmin from '../src/admin/call-statistics.ts'
import * as callsAdmin from '../src/admin/calls.ts'
import * as catalogAdmin from '../src/admin/catalog.ts'
import * as deliveriesAdmin from '../src/admin/deliveries.ts'
import * as importPreview from '../src/admin/import-preview.ts'
import * as limits from '../src/admin/limits.ts'
import * as mcpClientsAdmin from '../src/admin/mcp-clients.ts'
import * as mcpSignInAdmin from '../src/admin/mcp-sign-in.ts'
import * as mcpTokensAdmin from '../src/admin/mcp-tokens.ts'
import * as members from '../src/admin/members.ts'
import * as oauthAdmin from '../src/admin/oauth-clients.ts'
import * as policyAdmin from '../src/admin/policy.ts'
import * as previewAdmin from '../src/admin/preview.ts'
import * as quarantine from '../src/admin/quarantine.ts'
import { readReconcile, rebuildUsage, startReconcile, stopReconcile } from '../src/admin/reconcile.ts'
import * as replays from '../src/admin/replays.ts'
import * as reseal from '../src/admin/reseal.ts'
import * as retention from '../src/admin/retention.ts'
import * as session from '../src/admin/session.ts'
import * as suspensions from '../src/admin/suspensions.ts'
import * as system from '../src/admin/system.ts'
import * as usage from '../src/admin/usage.ts'
import * as userData from '../src/admin/user-data.ts'
import * as users from '../src/admin/users.ts'
import * as workspaces from '../src/admin/workspaces.ts'
import * as embedPage from '../src/embed-page.ts'
import * as approvals from '../src/functions/approvals.ts'
import * as apps from '../src/functions/apps.ts'
import * as batch from '../src/functions/batch-call.ts'
import * as call from '../src/functions/call.ts'
import * as calls from '../src/functions/calls.ts'
import * as connectedAccounts from '../src/functions/connected-accounts.ts'
import * as functions from '../src/functions/functions.ts'
import * as mcp from '../src/functions/mcp.ts'
import * as contract from '../src/index.ts'
import { propertyNames } from '../src/index.ts'
import * as deliveries from '../src/insights/deliveries.ts'
import * as embedSessions from '../src/insights/embed-sessions.ts'
import * as history from '../src/insights/history.ts'
import * as listeners from '../src/insights/listeners.ts'
import * as subscriptions from '../src/insights/subscriptions.ts'
import * as tasks from '../src/insights/tasks.ts'

type Named = readonly [name: string, endpoint: contract.EndpointShape]

const endpointsOf = (...modules: object[]): Named[] =>
  modules
    .flatMap((module) => Object.entries(module))
    .filter(([, value]) => typeof value === 'object' && 'method' in value && 'path' in value) as Named[]

const AREAS = {
  functions: endpointsOf(approvals, apps, batch, call, calls, connectedAccounts, functions, mcp),
  insights: endpointsOf(tasks, history, subscriptions, deliveries, listeners, embedSessions),
  'embedded page': endpointsOf(embedPage),
  'admin of functions': endpointsOf(
    ...[appsAdmin, applicationsAdmin, approvalsAdmin, accountsAdmin, oauthAdmin, reseal, retention, system],
    ...[
      callsAdmin,
      statisticsAdmin,
      catalogAdmin,
      importPreview,
      policyAdmin,
      previewAdmin,
      suspensions,
      mcpClientsAdmin,
      mcpSignInAdmin,
      mcpTokensAdmin,
    ],
  ),
  'admin of insights': endpointsOf(
    ...[workspaces, usage, users, limits, quarantine, { readReconcile, rebuildUsage, startReconcile, stopReconcile }],
    ...[deliveriesAdmin, replays, reseal, retention, system],
  ),
}
for (const area of ['admin of functions', 'admin of insights'] as const) AREAS[area].push(...endpointsOf(audit, userData))
AREAS['admin of insights'].push(...endpointsOf(session, members))
const all = Object.values(AREAS).flat()
/** All endpoints except those of the embedded page, which has its own tokens. */
const guarded = Object.entries(AREAS).flatMap(([area, endpoints]) => (area === 'embedded page' ? [] : endpoints))

type Schema = object & { readonly anyOf?: readonly object[]; readonly items?: object }

/** Returns the object schemas of a schema, of its alternatives and of its items. */
function formsOf(schema: Schema): object[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(formsOf)
  return schema.items === undefined ? [schema] : formsOf(schema.items)
}

function parametersOf(path: string, query?: contract.ObjectSchema, body?: contract.ObjectSchema): string[] {
  return [...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name), ...propertyNames(query), ...propertyNames(body)]
}

describe('the endpoints', () => {
  it.each(Object.entries(AREAS))('have distinct methods and paths in %s', (_area, endpoints) => {
    // Paths that differ only in the name of a variable are the same path.
    const places = endpoints.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`)
    expect(places.length).toBeGreaterThan(0)
    expect([...new Set(places)]).toEqual(places)
  })

  it('are all exported', () => {
    expect(new Set(endpointsOf(contract).map(([name]) => name))).toEqual(new Set(all.map(([name]) => name)))
  })

  it.each(all)('%s has a path without a final slash and with variables in snake case', (_name, { path }) => {
    // Published clients send `set_as_default`.
    expect(path).toMatch(/^(\/([a-z]+(-[a-z]+)*|:[a-z]+(_[a-z]+)*|set_as_default))+$/)
  })

  it.each(all)('%s has a summary of one sentence', (_name, { summary }) => {
    expect(summary).toMatch(/^[A-Z].*\.$/)
  })

  it.each(all)('%s has a body only if its method allows one', (_name, { method, body }) => {
    if (method === 'get' || method === 'delete') expect(body).toBeUndefined()
  })

  it.each(all)('%s answers closed objects: one, a list, or one of several', (_name, { response }) => {
    for (const type of [response.type].flat()) expect(['object', 'array']).toContain(type)
    const forms = formsOf(response as object)
    expect(forms.length).toBeGreaterThan(0)
    for (const form of forms) expect(form).toMatchObject({ type: 'object', additionalProperties: false })
  })

  it.each([...AREAS['admin of functions'], ...AREAS['admin of insights']])('%s has a path under /admin', (_name, { path }) => {
    expect(path).toMatch(/^\/admin\//)
  })

  it.each(guarded)('%s says who may use it, and takes the parameters that it names', (_name, { access, path, query, body }) => {
    expect(access).toBeDefined()
    // The endpoints of the two areas get these from the path under which the admin API serves them.
    if (access === undefined || !('in' in access) || !path.startsWith('/admin/')) return
    expect(parametersOf(path, query, body)).toEqual(expect.arrayContaining([...access.in]))
  })

  it.each([...AREAS['admin of functions'], ...AREAS['admin of insights']])(
    '%s is confined by each App-Key and workspace that it takes',
    (_name, { access, path, query, body }) => {
      const naming: string[] = parametersOf(path, query, body).filter((name) => name === 'workspace_id' || name === 'app_key')
      const confining: readonly string[] = access !== undefined && 'in' in access ? access.in : []
      if (access?.role !== 'operator' && access?.role !== 'anyone') expect(confining).toEqual(expect.arrayContaining(naming))
      // The guard does not look deeper into a body than its own properties.
      const everywhere = JSON.stringify([query, body]).match(/"(workspace_id|app_key)":/g) ?? []
      expect(everywhere.length).toBe(
        propertyNames(query)
          .concat(propertyNames(body))
          .filter((name) => naming.includes(name)).length,
      )
    },
  )

  it.each(guarded)('%s has an action for the audit log if it can change something', (_name, { method, action }) => {
    if (method === 'get') expect(action).toBeUndefined()
    else if (action !== null) expect(action).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/)
  })

  it.each(all)('%s keeps what may be secret out of the audit log', (_name, { body }) => {
    const secret = Object.entries(body?.properties ?? {}).filter(([name]) =>
      /secret|token|credential|password|confirmation|assignment|^(code|file|document)$/.test(name),
    )
    for (const [, schema] of secret) expect(schema).toMatchObject({ writeOnly: true })
  })

  it.each([...AREAS.functions, ...AREAS.insights])('%s has no path under /admin', (_name, { path }) => {
    expect(path).not.toMatch(/^\/admin/)
  })
})
