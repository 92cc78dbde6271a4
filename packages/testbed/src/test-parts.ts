/** The Postgres and Redis of the tests. `npm test` starts them and sets the variables. */
export type TestParts = { readonly postgresUrl: string; readonly redisUrl: string | undefined }

export function testParts(): TestParts {
  const { ONWARD_TEST_POSTGRES_URL: postgresUrl, ONWARD_TEST_REDIS_URL: redisUrl } = process.env
  if (!postgresUrl) throw new Error('ONWARD_TEST_POSTGRES_URL is not set; run the tests with npm test')
  return { postgresUrl, redisUrl: redisUrl || undefined }
}

/** Returns the URL of a database on the test server. */
export function serverUrl(database: string): string {
  const url = new URL(testParts().postgresUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Returns the log level of services under test: `silent`, unless `ONWARD_TEST_LOG` names another. */
export function testLogLevel(): string {
  return process.env.ONWARD_TEST_LOG ?? 'silent'
}
