import { databaseUrl, dropDatabase, ensureDatabase } from '@onward/dev-env'
import { askFunctions } from './ask-functions.ts'
import { openFunctions, type Place } from './functions/open-functions.ts'
import { putApps } from './functions/put-apps.ts'
import { type Scores, scoreSet } from './score/score-set.ts'
import type { EvalSet } from './sets/set.ts'

export type Stores = Pick<Place, 'queueUrl' | 'noApps'> & { readonly postgresUrl: string }

/** Scores a set over HTTP, in a service and a database of its own. `ranker` is a folder with a ranker in place of the one that comes with Onward. */
export async function evaluateSet(set: EvalSet, { postgresUrl, queueUrl, noApps }: Stores, ranker?: string): Promise<Scores> {
  const name = `eval_${process.pid}_${Date.now().toString(36)}`
  await ensureDatabase(postgresUrl, name)
  try {
    const service = await openFunctions({ databaseUrl: databaseUrl(postgresUrl, name), queueUrl, queuePrefix: `{${name}}`, noApps, ranker })
    try {
      await putApps(service.admin, set.apps)
      return scoreSet(await askFunctions(service.user, set))
    } finally {
      await service.close()
    }
  } finally {
    await dropDatabase(postgresUrl, name)
  }
}
