import { isUrl } from '@onward/runtime'
import pg from 'pg'
import type { Part } from '../options.ts'
import { reasonOf } from '../reason-of.ts'
import { askPostgres } from './ask-postgres.ts'

/** The Postgres that DATABASE_URL names. Undefined where the variable is not set. */
export async function givenPostgres(env: NodeJS.ProcessEnv): Promise<Part | undefined> {
  const url = env.DATABASE_URL
  if (!url) return undefined
  const address = addressOf(url)
  try {
    const [row] = await askPostgres(url, 'show server_version')
    const version = String(row?.server_version).split(' ')[0]
    return { url, from: `Postgres ${version} at ${address}, from DATABASE_URL`, stop: async () => undefined }
  } catch (error) {
    const advice = 'start it, correct the variable, or unset it and Onward starts a Postgres of its own'
    throw new Error(`DATABASE_URL: Postgres at ${address} can't be used (${reasonOf(error)}): ${advice}`)
  }
}

/** As the driver reads the URL, so that defaults are named too. No cause is attached: Node's own error for a bad URL holds the password. */
function addressOf(url: string): string {
  const readable = /^postgres(ql)?:\/\//.test(url) && isUrl(url)
  if (!readable) throw new Error('DATABASE_URL is not a postgres:// URL: correct or unset it')
  const { host, port } = new pg.Client(url)
  return `${host}:${port}`
}
