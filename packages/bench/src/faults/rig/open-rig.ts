import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { takeLock } from '@onward/dev-env'
import { type Link, openLink } from './link.ts'
import { makeDatabases } from './make-databases.ts'
import { makeProcesses, type Processes } from './make-processes.ts'
import { openStores, type Stores } from './open-stores.ts'
import type { Closers, RigOptions } from './options.ts'
import { openThirdParty, type ThirdParty } from './third-party.ts'

/** The whole system with a network of ours between all its parts, each in a process of its own. */
export type Rig = Processes &
  Stores & {
    readonly root: string
    readonly dir: string
    /** Straight to the databases, past the links. */
    readonly functionsDb: string
    readonly insightsDb: string
    readonly queueUrl: string
    readonly thirdParty: ThirdParty
    readonly toThirdParty: Link
    /** Ends everything that was started here. Can be called twice. */
    close(): Promise<void>
  }

export async function openRig(options: RigOptions): Promise<Rig> {
  const { root, dir } = options
  await mkdir(dir, { recursive: true })
  const unlock = await takeLock(dir)
  const closers: Closers = [unlock]
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll(closers)
    return closing
  }
  try {
    await rm(join(dir, 'logs'), { recursive: true, force: true })
    await mkdir(join(dir, 'logs'))
    const stores = await openStores(options, closers)
    const [functionsDb, insightsDb, queueDb] = await makeDatabases(stores.postgres.url)
    const thirdParty = await openThirdParty(root)
    closers.push(thirdParty.close)
    const toThirdParty = await openLink(thirdParty.port)
    closers.push(toThirdParty.close)
    const queueUrl = stores.redis?.url ?? stores.cluster?.url ?? queueDb
    const services = await makeProcesses(
      { ...options, functionsDb, insightsDb, queueUrl, postgresPort: (stores.pgbouncer ?? stores.postgres).port },
      closers,
    )
    return { ...stores, ...services, root, dir, functionsDb, insightsDb, queueUrl, thirdParty, toThirdParty, close }
  } catch (err) {
    await close()
    throw err
  }
}

/** The last that was opened goes first; one that fails keeps none of the others. */
async function closeAll(closers: Readonly<Closers>): Promise<void> {
  for (const close of closers.toReversed()) {
    try {
      await close()
    } catch (err) {
      process.stderr.write(`could not be closed: ${(err as Error).message}\n`)
    }
  }
}
