import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { QUEUE_PREFIX } from '@onward/contract'
import { takeLock } from '@onward/dev-env'
import { migrations as functionsMigrations } from '@onward/functions'
import { migrations as insightsMigrations } from '@onward/insights'
import { migrate } from '@onward/runtime'
import { areaEnv, type Link, openLink } from '@onward/testbed'
import type { ThirdPartyLog, ThirdPartyOptions } from '../child/third-party.ts'
import { writeDiaryApp } from './diary-app.ts'
import { checkOutOld } from './old-version.ts'
import { createDatabases } from './postgres-server.ts'
import { type Helper, openService, type Service, startHelper } from './processes.ts'
import { type Closers, openStores, type StoreKind, type Stores } from './stores.ts'

export type RigOptions = {
  /** The checkout. */
  readonly root: string
  /** The folder for data and logs of this run. Files of earlier runs in it are removed. */
  readonly dir: string
  readonly env: NodeJS.ProcessEnv
  /** How many processes of each service. */
  readonly functions: number
  readonly insights: number
  readonly on: StoreKind
  readonly tmpfs: boolean
  /** Whether insights has its own Postgres server. */
  readonly twoServers?: boolean
  /** A commit whose code every second process of each service runs, or `latest` for the last version; empty for none. */
  readonly old?: string
  /** Whether the processes reach Postgres and the queue through proxies (`Link`), so that these connections can be disturbed. */
  readonly links: boolean
  /** Whether the stores write to their disks as in a deployment: Postgres at each commit, Redis once a second. */
  readonly realDisks?: boolean
  /** Whether the processes run the built code in `dist`, as the image does. */
  readonly built?: boolean
  /** Options of Node for the processes of functions, and of insights. */
  readonly functionsFlags?: readonly string[]
  readonly insightsFlags?: readonly string[]
  /** Settings of functions and of insights, added to their environments. */
  readonly functionsEnv?: Readonly<Record<string, string>>
  readonly insightsEnv?: Readonly<Record<string, string>>
  /** Whether the processes of insights can be measured. */
  readonly measured?: boolean
  readonly thirdParty: ThirdPartyOptions
}

export const RIG_DEFAULTS = {
  functions: 2,
  insights: 2,
  on: 'redis',
  tmpfs: false,
  links: true,
  thirdParty: { ports: 1, failing: 0, seed: 1 },
} satisfies Partial<RigOptions>

/** A service with a link to its database and one to the queue. */
export type LinkedService = Service & { readonly postgres: Link; readonly queue: Link }

/** The whole system: stores, services and a third party, each in separate processes. */
export type Rig = Stores & {
  readonly functions: readonly LinkedService[]
  readonly insights: readonly LinkedService[]
  /** URLs of the databases and the queue, without links. */
  readonly functionsDb: string
  readonly insightsDb: string
  readonly queueUrl: string
  /** Its ready message holds its URLs; the first one is also the third-party API. */
  readonly thirdParty: Helper<readonly string[]>
  readonly toThirdParty: Link
  /** Starts all services. The first of each kind creates the partitions, before the others start. */
  start(): Promise<void>
  thirdPartyLog(): Promise<ThirdPartyLog>
  startHelper: <Ready>(role: Parameters<typeof startHelper>[1], options: object) => Promise<Helper<Ready>>
  /** Ends everything that was started. Can be called twice. */
  close(): Promise<void>
}

/** Opens the stores and the third party. `start` starts the services. */
export async function openRig(options: RigOptions): Promise<Rig> {
  const { root, dir } = options
  await mkdir(dir, { recursive: true })
  const closers: Closers = [await takeLock(dir)]
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll(closers)
    return closing
  }
  const logs = join(dir, 'logs')
  const helper: Rig['startHelper'] = async <Ready>(role: Parameters<typeof startHelper>[1], given: object) => {
    const started = await startHelper<Ready>({ root, logFile: join(logs, `${role}.log`), built: options.built }, role, given)
    closers.push(started.end)
    return started
  }
  try {
    await rm(logs, { recursive: true, force: true })
    await mkdir(logs)
    const oldRoot = options.old ? await checkOutOld(root, options.old) : root
    const stores = await openStores({ ...options, dir: join(dir, 'stores') }, closers)
    const [functionsDb, sharedDb, queueDb] = await createDatabases(stores.postgres.url)
    const [, insightsDb] = stores.insightsPostgres === stores.postgres ? ['', sharedDb] : await createDatabases(stores.insightsPostgres.url)
    await migrate(functionsDb, functionsMigrations)
    await migrate(insightsDb, insightsMigrations)
    const queueUrl = stores.redis?.url ?? stores.cluster?.url ?? queueDb
    const thirdParty = await helper<readonly string[]>('third-party', options.thirdParty)
    await writeDiaryApp(join(dir, 'apps'), thirdParty.ready[0] ?? '')
    const toThirdParty = await openLinkTo(thirdParty.ready[0] ?? '', closers)
    const open = async (kind: 'functions' | 'insights', letter: string, n: number) =>
      await openProcess({
        kind,
        name: `${letter}${n + 1}`,
        root: n % 2 === 1 ? oldRoot : root,
        options,
        stores,
        closers,
        queueUrl,
        database: kind === 'functions' ? functionsDb : insightsDb,
      })
    const functions = await Promise.all(Array.from({ length: options.functions }, (_, n) => open('functions', 'A', n)))
    const insights = await Promise.all(Array.from({ length: options.insights }, (_, n) => open('insights', 'B', n)))
    return {
      ...stores,
      functions,
      insights,
      functionsDb,
      insightsDb,
      queueUrl,
      thirdParty,
      toThirdParty,
      startHelper: helper,
      close,
      thirdPartyLog: () => thirdParty.ask<ThirdPartyLog>('log'),
      async start() {
        await Promise.all([functions[0]?.start(), insights[0]?.start()])
        await Promise.all([...functions.slice(1), ...insights.slice(1)].map((service) => service.start()))
      },
    }
  } catch (err) {
    await close()
    throw err
  }
}

type ProcessOptions = {
  readonly kind: 'functions' | 'insights'
  readonly name: string
  /** The checkout that it runs. */
  readonly root: string
  readonly options: RigOptions
  readonly stores: Stores
  readonly closers: Closers
  readonly queueUrl: string
  readonly database: string
}

async function openProcess({ kind, name, root, options, stores, closers, queueUrl, database }: ProcessOptions): Promise<LinkedService> {
  const databaseUrl = new URL(database)
  databaseUrl.searchParams.set('application_name', name)
  if (stores.pgbouncer !== undefined) databaseUrl.port = String(stores.pgbouncer.port)
  const [postgres, queue] = [await openLinkTo(databaseUrl.href, closers), await openLinkTo(queueUrl, closers)]
  const env = {
    ...areaEnv({
      databaseUrl: options.links ? postgres.url : databaseUrl.href,
      // A cluster announces the addresses of its nodes, not of our links.
      queueUrl: options.links && stores.cluster === undefined ? queue.url : queueUrl,
      queuePrefix: QUEUE_PREFIX,
    }),
    LOG_LEVEL: 'info',
    PATH: options.env.PATH ?? '',
    // Listeners do not work through PgBouncer.
    ...(stores.pgbouncer === undefined ? {} : { DATABASE_DIRECT_URL: database }),
    ...(kind === 'functions'
      ? { APPS_PATH: `packages/dev-env/apps,${join(options.dir, 'apps')}`, ...options.functionsEnv }
      : options.insightsEnv),
  }
  const logFile = join(options.dir, 'logs', `${name}.log`)
  const variant = kind === 'insights' && options.measured === true ? {} : undefined
  const flags = kind === 'functions' ? options.functionsFlags : options.insightsFlags
  const service = await openService({ root, env, logFile, built: options.built, flags, name, kind, variant })
  closers.push(service.end)
  return { ...service, postgres, queue }
}

async function openLinkTo(url: string, closers: Closers): Promise<Link> {
  const link = await openLink(url)
  closers.push(link.close)
  return link
}

/** Closes in reverse order. When one fails, prints its error and closes the others. */
async function closeAll(closers: Readonly<Closers>): Promise<void> {
  for (const close of closers.toReversed()) {
    try {
      await close()
    } catch (err) {
      process.stderr.write(`closing failed: ${(err as Error).message}\n`)
    }
  }
}
