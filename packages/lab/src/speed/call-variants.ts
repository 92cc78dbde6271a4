import { createHmac } from 'node:crypto'
import { type PolicyRule, putApp, putPolicy } from '@onward/contract'
import { send } from '@onward/contract-client'
import { waitUntil } from '@onward/dev-env'
import type { BareProxyOptions } from '../child/bare-proxies.ts'
import type { WrittenFirstOptions } from '../child/written-first.ts'
import type { Rig } from '../rig/open-rig.ts'
import { queryPostgres } from '../rig/postgres-server.ts'
import type { Service } from '../rig/processes.ts'
import type { RedisServer } from '../rig/redis-server.ts'
import { adminOf, createWorkspace, type User, type Workspace } from '../rig/workspace.ts'
import { insertAccounts } from './fill.ts'
import { postRequest } from './http-load.ts'
import { userId } from './users.ts'

/** Something that passes requests on to the third party. */
export type Variant = {
  readonly name: string
  readonly urls: readonly string[]
  /** The requests that the load sends in turn, one for each user. */
  readonly requests: readonly Buffer[]
  /** The processes that serve the requests, and the others that work for them. */
  readonly pids: { readonly process: readonly number[] } & Readonly<Partial<Record<Helping, readonly number[]>>>
  /** Waits until the work that the requests caused is done. */
  settle(): Promise<void>
}

export const HELPING = ['Postgres', 'Redis', 'insights'] as const
export type Helping = (typeof HELPING)[number]

const NOTE = { title: 'Release', text: 'The release is out: thank you all!', tags: ['team', 'news'], pinned: true }
const PARAMETERS = {
  title: { type: 'string', minLength: 1, description: 'Title of the note.' },
  text: { type: 'string', description: 'Text of the note.' },
  tags: { type: 'array', items: { type: 'string' }, description: 'Words to label the note with.' },
  pinned: { type: 'boolean', description: 'Whether to show the note first.' },
}
const REQUIRED = ['title', 'text']
const CREATE = { name: 'notes-create-note', args: NOTE }
const SETTLE_MS = 120_000

/** Opens a baseline: a process that passes requests on, and does nothing else. */
export async function openBareProxy(rig: Rig, kind: BareProxyOptions['kind'], name: string): Promise<Variant> {
  const { ready, pid } = await rig.startHelper<string>('bare-proxy', { kind, origin: originOf(rig) } satisfies BareProxyOptions)
  return { name, urls: [ready], requests: [postRequest('/notes', {}, NOTE)], pids: { process: [pid] }, settle: async () => {} }
}

/** Opens the baseline that counts calls in the way that one writes first. */
export async function openWrittenFirst(rig: Rig, redis: RedisServer, users: readonly string[]): Promise<Variant> {
  const [appKey, secret] = ['app', 'secret-of-the-baseline']
  const parameters = { type: 'object', required: REQUIRED, additionalProperties: false, properties: PARAMETERS }
  const stores = { databaseUrl: rig.functionsDb, redisUrl: redis.url, origin: originOf(rig) }
  const { ready, pid } = await rig.startHelper<string>('written-first', {
    ...stores,
    appKey,
    secret,
    users,
    parameters,
  } satisfies WrittenFirstOptions)
  const requests = users.map((id) => {
    const hash = createHmac('sha256', secret).update(id).digest('hex')
    return postRequest('/functions/create-note/call', { 'app-key': appKey, 'user-id': id, hash }, NOTE)
  })
  const pids = { process: [pid], Postgres: [rig.postgres.pid()], Redis: [redis.pid()] }
  return { name: 'what one writes first', urls: [ready], requests, pids, settle: async () => {} }
}

/** Onward with a workspace. `users` has the user of each request. */
export type Onward = Variant & { readonly workspace: Workspace; readonly users: readonly string[] }

/** Starts the rig, and creates a workspace whose users 1 to `count` have accounts of an app of the third party. */
export async function openOnward(rig: Rig, count: number): Promise<Onward> {
  const users = Array.from({ length: count }, (_, n) => userId(n + 1))
  await rig.start()
  const file = {
    name: 'notes',
    title: 'Notes',
    description: 'An app that answers at once.',
    base_url: originOf(rig),
    auth: { type: 'bearer' },
    functions: {
      'create-note': {
        title: 'Create note',
        description: 'Creates a note.',
        type: 'ACTION',
        parameters: { properties: PARAMETERS, required: REQUIRED },
        request: {
          method: 'POST',
          path: '/notes',
          body: Object.fromEntries(Object.keys(PARAMETERS).map((name) => [name, `{${name}}`])),
        },
      },
    },
  }
  for (const service of rig.functions) await send(adminOf(service), putApp, { params: { name: 'notes' }, body: { file } })
  const workspace = await createWorkspace(rig)
  await insertAccounts(rig, 'notes', count)
  const requests = workspace.usersOf(users, CREATE).map(requestOf)
  const stores = { Postgres: [rig.postgres.pid()], ...(rig.redis === undefined ? {} : { Redis: [rig.redis.pid()] }) }
  return {
    name: 'Onward',
    urls: rig.functions.map(({ url }) => url),
    requests,
    pids: { process: rig.functions.map(pidOf), ...stores, insights: rig.insights.map(pidOf) },
    settle: () => untilAllCounted(rig),
    workspace,
    users,
  }
}

/** Opens Onward with an application that has 20 rules. Each of them is compared with each call, five with its arguments, and none matches. */
export async function openRuled(rig: Rig, { users, ...onward }: Onward): Promise<Variant> {
  const [name, admin] = ['ruled', adminOf(rig.functions[0])]
  const workspace = await createWorkspace(rig, {}, name)
  const rules: PolicyRule[] = Array.from({ length: 20 }, (_, n) => {
    const matches = { apps: ['notes'], functions: [CREATE.name], types: ['ACTION' as const], result: 'deny' as const }
    return n % 4 === 0 ? { ...matches, arguments: { properties: { title: { minLength: 50 + n } } } } : { ...matches, via: ['mcp'] }
  })
  await send(admin, putPolicy, { params: { app_key: name }, body: { rules } })
  const withAccounts = await workspace.connect(users, { app: 'notes', credentials: { token: 'token-of-the-runs' }, call: CREATE })
  return { ...onward, name: 'Onward with 20 rules', requests: withAccounts.map(requestOf) }
}

function requestOf({ id, hash, appKey, call }: User): Buffer {
  return postRequest(`/functions/${call.name}/call`, { 'app-key': appKey, 'user-id': id, hash }, call.args)
}

export function pidOf(service: Service): number {
  const pid = service.pid()
  if (pid === undefined) throw new Error(`${service.name} is not running`)
  return pid
}

/** Waits until insights has counted this number of tasks. */
export async function untilCounted(rig: Rig, tasks: number): Promise<void> {
  if (!(await waitUntil(async () => (await countTasks(rig)) >= tasks, SETTLE_MS, 100)))
    throw new Error(`only ${await countTasks(rig)} of ${tasks} tasks were counted within ${SETTLE_MS} ms`)
}

/** Waits until all calls are recorded and insights has confirmed their tasks. The time does not depend on how many calls there are. */
async function untilAllCounted({ functionsDb }: Rig): Promise<void> {
  const pending = 'select from call_attempt union all select from outbox limit 1'
  if (!(await waitUntil(async () => (await queryPostgres(functionsDb, pending)).length === 0, SETTLE_MS, 100)))
    throw new Error(`not all tasks were counted within ${SETTLE_MS} ms`)
}

/** Returns the number of tasks in the usage of all users. */
export async function countTasks({ insightsDb }: Rig): Promise<number> {
  const [row] = await queryPostgres<{ n: number }>(insightsDb, 'select coalesce(sum(consumed), 0)::int as n from usage_period')
  return row?.n ?? 0
}

function originOf(rig: Rig): string {
  return rig.thirdParty.ready[0] ?? ''
}
