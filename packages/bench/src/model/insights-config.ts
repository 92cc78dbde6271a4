import { type Config, readConfig } from '@onward/insights'
import type { Suite } from '@onward/testbed'

export const ADMIN_TOKEN = 'admin-token-of-the-bench'

/** Area B on a suite's database and queues, on ports of its own choice, with its answers checked. */
export function insightsConfig({ databaseUrl, queueUrl, queuePrefix }: Suite): Config {
  return readConfig({
    DATABASE_URL: databaseUrl,
    QUEUE_URL: queueUrl,
    QUEUE_PREFIX: queuePrefix,
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: '0',
    ADMIN_TOKEN,
    SEALING_KEYS: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
    ALLOW_PLAIN_HTTP: 'true',
    OUTGOING_REACH: 'local',
    CHECK_ANSWERS: 'true',
    LOG_LEVEL: 'silent',
  })
}
