import type { Suite } from './suite.ts'
import { testLogLevel } from './test-parts.ts'

/** The bearer token of the admin APIs of services that `areaEnv` is for. */
export const ADMIN_TOKEN = 'admin-token-of-the-tests'

/** The environment of a service on loopback, on ports that are free, with a suite's database and queues. */
export function areaEnv({ databaseUrl, queueUrl, queuePrefix }: Omit<Suite, 'close'>): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    QUEUE_URL: queueUrl,
    QUEUE_PREFIX: queuePrefix,
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: '0',
    ADMIN_TOKEN,
    SEALING_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    ALLOW_PLAIN_HTTP: 'true',
    OUTGOING_REACH: 'local',
    LOG_LEVEL: testLogLevel(),
  }
}
