import { ConfigError, type Env, list } from './env.ts'
import { codeOf } from './error-code.ts'
import { readerOf, readSecretFiles, type Settings } from './settings.ts'

/** AWS KMS has no settings here: the AWS SDK reads its own variables, files and roles. */
export const keyProviderSettings = {
  VAULT_ADDR: {
    optional: true,
    schemes: ['https:', 'http:'],
    meaning: 'URL of HashiCorp Vault or OpenBao, which unwraps sealing keys such as `k1:vault:v1:…`; needed only when a process starts',
  },
  VAULT_TOKEN: { optional: true, secret: true, meaning: 'token for Vault, which may update `decrypt` of the transit key' },
  VAULT_NAMESPACE: { optional: true, meaning: 'namespace of Vault' },
  VAULT_TRANSIT_KEY: { text: 'transit/onward', meaning: 'path of the transit engine in Vault, and the name of its key' },
} as const satisfies Settings

/** Holds a key that wraps sealing keys. A process asks it once, when it starts. */
type KeyProvider = {
  /** Where it is, for messages. */
  readonly place: string
  /** Returns a new key of 32 bytes, wrapped, in the form that SEALING_KEYS has after the id. */
  create(): Promise<string>
  /** Returns the key that `create` returned wrapped. */
  unwrap(wrapped: string): Promise<Buffer>
}

/** Deadline of a request to a provider. */
const TIMEOUT_MS = 10_000

/** A sealing key as its provider wrapped it: the id, and the wrapped key with the name of the provider. */
const WRAPPED = /^([^:]*):((vault|aws-kms):.*)$/

/**
 * Returns the environment with plain keys in SEALING_KEYS. Requests the wrapped ones from their providers, and makes no request if there are
 * none. Throws a ConfigError that names each key that could not be unwrapped, its provider and the reason.
 */
export async function unwrapSealingKeys(env: Env): Promise<Env> {
  const entries = list(env, 'SEALING_KEYS')
  if (!entries.some((entry) => WRAPPED.test(entry))) return env
  const unwrapped = await Promise.allSettled(entries.map((entry) => unwrapEntry(env, entry)))
  const problems = unwrapped.flatMap((each) => (each.status === 'rejected' ? [each.reason.message] : []))
  if (problems.length > 0) throw new ConfigError(`SEALING_KEYS: ${problems.join('; ')}`)
  return { ...env, SEALING_KEYS: unwrapped.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])).join(',') }
}

async function unwrapEntry(env: Env, entry: string): Promise<string> {
  const [, id, wrapped, kind] = WRAPPED.exec(entry) ?? []
  if (wrapped === undefined) return entry
  const provider = kind === 'vault' ? openVault(env) : await openKms()
  try {
    const key = await provider.unwrap(wrapped)
    if (key.length !== 32) throw new Error(`the key has ${key.length} bytes instead of 32`)
    return `${id}:${key.toString('base64')}`
  } catch (err) {
    throw new ConfigError(`the key "${id}" was not unwrapped by ${provider.place}: ${reasonOf(err)}`)
  }
}

/**
 * Returns a new sealing key as an entry of SEALING_KEYS, wrapped by Vault, or by AWS KMS if `kmsKey` names one of its keys. Only the provider
 * has seen the key itself. Throws a ConfigError that names the provider and the reason.
 */
export async function createWrappedKey(id: string, env: Env, kmsKey?: string): Promise<string> {
  const provider = kmsKey === undefined ? openVault(readSecretFiles(env, keyProviderSettings)) : await openKms(kmsKey)
  try {
    return `${id}:${await provider.create()}`
  } catch (err) {
    throw new ConfigError(`${provider.place} did not create a key: ${reasonOf(err)}`)
  }
}

function openVault(env: Env): KeyProvider {
  const setting = readerOf(env, keyProviderSettings)
  const [address, token, namespace] = [setting('VAULT_ADDR'), setting('VAULT_TOKEN'), setting('VAULT_NAMESPACE')]
  const [, engine, name] = /^([\w./-]+)\/([\w.-]+)$/.exec(setting('VAULT_TRANSIT_KEY')) ?? []
  if (address === undefined) throw new ConfigError('VAULT_ADDR is not set, and a key of SEALING_KEYS needs it')
  if (token === undefined) throw new ConfigError('VAULT_TOKEN is not set, and a key of SEALING_KEYS needs it')
  if (name === undefined) throw new ConfigError('VAULT_TRANSIT_KEY must be the path of the engine and the name of the key: transit/onward')

  async function post(operation: string, body: object, field: 'ciphertext' | 'plaintext'): Promise<string> {
    const response = await fetch(`${address?.replace(/\/+$/, '')}/v1/${engine}/${operation}/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vault-token': token ?? '', ...(namespace && { 'x-vault-namespace': namespace }) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const answer = (await response.json().catch(() => ({}))) as { data?: Record<string, unknown>; errors?: string[] }
    const value = answer.data?.[field]
    if (response.ok && typeof value === 'string') return value
    throw new Error([`status ${response.status}`, ...(answer.errors ?? [])].join(', '))
  }

  return {
    place: `Vault at ${address} (${engine}/${name})`,
    create: () => post('datakey/wrapped', { bits: 256 }, 'ciphertext'),
    unwrap: async (ciphertext) => Buffer.from(await post('decrypt', { ciphertext }, 'plaintext'), 'base64'),
  }
}

const KMS_PREFIX = 'aws-kms:'

/** `KeyId` is needed only to create a key: a wrapped key names the key that wrapped it. */
async function openKms(KeyId?: string): Promise<KeyProvider> {
  // Few deployments need it, and it takes a while to load.
  const { DecryptCommand, GenerateDataKeyWithoutPlaintextCommand, KMSClient } = await import('@aws-sdk/client-kms')
  const client = new KMSClient({ requestHandler: { connectionTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS } })
  const region = await client.config.region().catch(() => 'no region, set AWS_REGION')
  return {
    place: `AWS KMS (${[region, KeyId].filter(Boolean).join(', ')})`,
    async create() {
      const command = new GenerateDataKeyWithoutPlaintextCommand({ KeyId, KeySpec: 'AES_256' })
      const { CiphertextBlob = [] } = await client.send(command).finally(() => client.destroy())
      return KMS_PREFIX + Buffer.from(CiphertextBlob).toString('base64')
    },
    async unwrap(wrapped) {
      const CiphertextBlob = Buffer.from(wrapped.slice(KMS_PREFIX.length), 'base64')
      const { Plaintext = [] } = await client.send(new DecryptCommand({ CiphertextBlob })).finally(() => client.destroy())
      return Buffer.from(Plaintext)
    },
  }
}

/** Returns one line: the name and message of an error, and the code of its cause, such as ECONNREFUSED. */
function reasonOf(err: unknown): string {
  const { name, message, cause } = err as Error
  const code = codeOf(cause) ?? codeOf(err)
  const text = name === 'Error' || name === 'TypeError' ? message : `${name}: ${message}`
  return `${text}${code === undefined ? '' : ` (${code})`}`.replace(/\s+/g, ' ')
}
