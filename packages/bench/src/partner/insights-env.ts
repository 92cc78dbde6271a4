import type { Suite } from '@onward/testbed'

export const ADMIN_TOKEN = 'admin-token-of-the-benches'

/** The environment of an insights service on a suite's parts, on ports that are free. */
export function insightsEnv(suite: Suite): Record<string, string> {
  return {
    DATABASE_URL: suite.databaseUrl,
    QUEUE_URL: suite.queueUrl,
    QUEUE_PREFIX: suite.queuePrefix,
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: '0',
    ADMIN_TOKEN,
    SEALING_KEYS: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
    ALLOW_PLAIN_HTTP: 'true',
    OUTGOING_REACH: 'local',
    LOG_LEVEL: 'silent',
  }
}
