import { isUrl } from '@onward/runtime'
import type { Part } from '../options.ts'
import { reasonOf } from '../reason-of.ts'
import { askRedis } from './ask-redis.ts'

/** The Redis that REDIS_URL names. Undefined where the variable is not set. */
export async function givenRedis(env: NodeJS.ProcessEnv): Promise<Part | undefined> {
  const url = env.REDIS_URL
  if (!url) return undefined
  const address = addressOf(url)
  try {
    const version = /redis_version:(\S+)/.exec(await askRedis(url))?.[1] ?? 'of unknown version'
    return { url, from: `Redis ${version} at ${address}, from REDIS_URL`, stop: async () => undefined }
  } catch (error) {
    const advice = 'start it, correct the variable, or unset it and Onward finds a Redis of its own'
    throw new Error(`REDIS_URL: Redis at ${address} can't be used (${reasonOf(error)}): ${advice}`)
  }
}

function addressOf(url: string): string {
  const readable = /^rediss?:\/\//.test(url) && isUrl(url)
  if (!readable) throw new Error('REDIS_URL is not a redis:// or rediss:// URL: correct or unset it')
  const { hostname, port } = new URL(url)
  return `${hostname || 'localhost'}:${port || '6379'}`
}
