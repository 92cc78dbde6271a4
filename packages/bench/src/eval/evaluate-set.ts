import { databaseUrl, dropDatabase, ensureDatabase } from '@onward/dev-env'
import { askService } from './ask-service.ts'
import { type Scores, scoreSet } from './score/score-set.ts'
import { openService, type Place } from './service/open-service.ts'
import { putApps } from './service/put-apps.ts'
import type { EvalSet } from './sets/set.ts'

export type Stores = Pick<Place, 'queueUrl' | 'noApps'> & { readonly postgresUrl: string }

/** Scores a set over HTTP, in a service and a database of its own. `ranker` is a folder with a ranker in place of the one that comes with Onward. */
export async function evaluateSet(set: EvalSet, { postgresUrl, queueUrl, noApps }: Stores, ranker?: string): Promise<Scores> {
  const name = `eval_${process.pid}_${Date.now().toString(36)}`
  await ensureDatabase(postgresUrl, name)
  try {
    const service = await openService({ databaseUrl: databaseUrl(postgresUrl, name), queueUrl, queuePrefix: `{${name}}`, noApps, ranker })
    try {
      await putApps(service.admin, set.apps)
      return scoreSet(await askService(service.user, set))
    } finally {
      await service.close()
    }
  } finally {
    await dropDatabase(postgresUrl, name)
  }
}
