import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { endPostgresLeftover } from './postgres/data-folder.ts'
import { removePlace } from './postgres/place.ts'
import { endRedisLeftover } from './redis/data-folder.ts'

/** Removes what Postgres and Redis stored below this folder, after ending a server that a killed start left there. Call it with the lock taken. */
export async function removeData(dir: string): Promise<void> {
  await Promise.all([endPostgresLeftover(join(dir, 'postgres')), endRedisLeftover(join(dir, 'redis'))])
  await removePlace(dir)
  await rm(join(dir, 'redis'), { recursive: true, force: true })
}
