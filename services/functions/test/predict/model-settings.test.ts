import { ConfigError } from '@onward/runtime'
import { areaEnv } from '@onward/testbed'
import { readConfig } from '../../src/index.ts'

const needed = areaEnv({ databaseUrl: 'postgres://127.0.0.1/a', queueUrl: 'redis://127.0.0.1', queuePrefix: '{a}' })
const read = (env: Readonly<Record<string, string>>) =>
  readConfig({ ...needed, ...env }, { apps: 'apps', weights: 'weights', viewer: 'viewer', font: 'font', importWorker: 'none' }).model

describe('readConfig, for the model server,', () => {
  it.each([[{}], [{ MODEL_BASE_URL: '', MODEL_API_KEY: '', MODEL_NAME: '', EMBEDDING_MODEL: '' }]])('returns no settings for %j', (env) => {
    expect(read(env)).toBeUndefined()
  })

  const defaults = { timeoutMs: 15_000, offered: 40, requestTokens: 4_000 }

  it('reads a base URL, one or two models and an optional key', () => {
    const MODEL_BASE_URL = 'http://10.0.0.7:8000/v1/'
    expect(read({ MODEL_BASE_URL, MODEL_NAME: 'm' })).toEqual({ baseUrl: 'http://10.0.0.7:8000/v1', name: 'm', ...defaults })
    expect(read({ MODEL_BASE_URL, EMBEDDING_MODEL: 'e', MODEL_API_KEY: 'k' })).toEqual({
      baseUrl: 'http://10.0.0.7:8000/v1',
      apiKey: 'k',
      embeddingModel: 'e',
      ...defaults,
    })
  })

  it('reads how a model is asked', () => {
    const env = { MODEL_TIMEOUT_MS: '60000', MODEL_OFFERED: '20', MODEL_REQUEST_TOKENS: '2000', MODEL_REASONING_EFFORT: 'low' }
    expect(read({ MODEL_BASE_URL: 'https://m.example', MODEL_NAME: 'm', ...env })).toMatchObject({
      timeoutMs: 60_000,
      offered: 20,
      requestTokens: 2_000,
      reasoningEffort: 'low',
    })
  })

  it.each<[Record<string, string>, string]>([
    [{ MODEL_NAME: 'm' }, 'MODEL_NAME has no effect without MODEL_BASE_URL'],
    [{ MODEL_API_KEY: 'secret' }, 'MODEL_API_KEY has no effect without MODEL_BASE_URL'],
    [{ MODEL_OFFERED: '9' }, 'MODEL_OFFERED has no effect without MODEL_BASE_URL'],
    [
      { MODEL_BASE_URL: 'https://m.example', EMBEDDING_MODEL: 'e', MODEL_TIMEOUT_MS: '900' },
      'MODEL_TIMEOUT_MS has no effect without MODEL_NAME',
    ],
    [{ EMBEDDING_MODEL: 'e' }, 'EMBEDDING_MODEL has no effect without MODEL_BASE_URL'],
    [{ MODEL_BASE_URL: 'https://m.example' }, 'MODEL_BASE_URL has no effect without MODEL_NAME or EMBEDDING_MODEL'],
    [{ MODEL_BASE_URL: 'm.example', MODEL_NAME: 'm' }, 'MODEL_BASE_URL must be a URL that begins with https:// or http://'],
    [{ MODEL_BASE_URL: 'https://a:b@m.example', MODEL_NAME: 'm' }, 'MODEL_BASE_URL must hold no user name, query or fragment'],
    [{ MODEL_BASE_URL: 'https://m.example?a=b', MODEL_NAME: 'm' }, 'MODEL_BASE_URL must hold no user name, query or fragment'],
  ])('throws for inconsistent settings: %j', (env, problem) => {
    expect(() => read(env)).toThrow(new ConfigError(problem))
  })
})
