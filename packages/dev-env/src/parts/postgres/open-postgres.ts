import { join } from 'node:path'
import type { Part, PartsOptions } from '../options.ts'
import { postgresAccount } from './account.ts'
import { endPostgresLeftover, madeBy, makeData } from './data-folder.ts'
import { findPostgres } from './find-postgres.ts'
import { openPlace } from './place.ts'
import { startPostgres } from './start-postgres.ts'

/** Starts a Postgres of our own. */
export async function openPostgres(options: PartsOptions): Promise<Part> {
  const { dir, throwAway, say } = options
  const account = await postgresAccount()
  const place = await openPlace(dir, account)
  if (await endPostgresLeftover(place)) say('ended the Postgres that an earlier start left running')
  const version = await madeBy(place)
  const programs = await findPostgres(options, account, version)
  if (version === undefined) {
    say(`making a database folder with Postgres ${programs.version}`)
    await makeData(place, programs, account, !throwAway)
  }
  const { child, url, port } = await startPostgres({ place, programs, account, throwAway, log: join(dir, 'postgres.log') })
  const from = `Postgres ${programs.version} ${programs.from}, port ${port}`
  say(from)
  return { url, from, stop: () => child.stop('SIGINT', 10_000) }
}
