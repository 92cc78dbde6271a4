import { AWS_SECRET, openKms, openVault, type ScriptedServer, VAULT_TOKEN } from '@onward/testbed'
import { createWrappedKey, readSealingKeys, unwrapSealingKeys } from '../src/index.ts'

const PLAIN = `k0:${Buffer.alloc(32, 7).toString('base64')}`
const AWS = ['AWS_REGION', 'AWS_ENDPOINT_URL_KMS', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const
const before = AWS.map((name) => process.env[name])

let vault: ScriptedServer
let kms: ScriptedServer
let env: Record<string, string>

beforeAll(async () => {
  vault = await openVault()
  kms = await openKms()
  env = { VAULT_ADDR: vault.url, VAULT_TOKEN }
  // The AWS SDK reads them itself.
  const values = ['eu-central-1', kms.url, 'AKIDEXAMPLE', AWS_SECRET]
  AWS.forEach((name, index) => {
    process.env[name] = values[index]
  })
})

afterAll(async () => {
  AWS.forEach((name, index) => {
    if (before[index] === undefined) delete process.env[name]
    else process.env[name] = before[index]
  })
  await vault.close()
  await kms.close()
})

const unwrapped = async (SEALING_KEYS: string, more = {}) =>
  readSealingKeys((await unwrapSealingKeys({ ...env, ...more, SEALING_KEYS })).SEALING_KEYS ?? '')

describe('sealing keys that a provider wrapped', () => {
  it('are unwrapped at the start, beside keys that are not wrapped', async () => {
    const entries = [await createWrappedKey('k1', env), PLAIN, await createWrappedKey('k2', env, 'alias/onward')]
    expect(entries).toEqual([expect.stringMatching(/^k1:vault:v1:/), PLAIN, expect.stringMatching(/^k2:aws-kms:/)])
    const keys = await unwrapped(entries.join(','))
    expect(keys.map(({ id, key }) => [id, key.length])).toEqual([
      ['k1', 32],
      ['k0', 32],
      ['k2', 32],
    ])
    // They stay the same, and each is another one.
    expect(await unwrapped(entries.join(','))).toEqual(keys)
    expect(new Set(keys.map(({ key }) => key.toString('hex'))).size).toBe(3)
    expect(vault.received.map(({ body }) => JSON.parse(body))[0]).toEqual({ bits: 256 })
  })

  it('need no request if none is wrapped', async () => {
    const requests = vault.received.length + kms.received.length
    expect(await unwrapped(PLAIN, { VAULT_ADDR: '' })).toHaveLength(1)
    expect(vault.received.length + kms.received.length).toBe(requests)
  })

  it('stop the start with the name of each key that was not unwrapped, its provider and the reason', async () => {
    const [good, other] = [await createWrappedKey('good', env), await createWrappedKey('other', env, 'alias/onward')]
    const broken = `k1:vault:v1:${Buffer.alloc(60).toString('base64')}`
    await expect(unwrapped([good, broken, `k2:aws-kms:${Buffer.alloc(60).toString('base64')}`].join(','))).rejects.toThrow(
      `SEALING_KEYS: the key "k1" was not unwrapped by Vault at ${vault.url} (transit/onward): status 400, cipher: message authentication failed; ` +
        'the key "k2" was not unwrapped by AWS KMS (eu-central-1): InvalidCiphertextException: the ciphertext is not valid',
    )
    await expect(unwrapped(good, { VAULT_TOKEN: 'wrong' })).rejects.toThrow('status 403, 1 error occurred: * permission denied')
    await expect(unwrapped(good, { VAULT_ADDR: '' })).rejects.toThrow('VAULT_ADDR is not set')
    await expect(unwrapped(good, { VAULT_TRANSIT_KEY: 'onward' })).rejects.toThrow('VAULT_TRANSIT_KEY must be')
    await expect(unwrapped(good, { VAULT_ADDR: 'http://127.0.0.1:1' })).rejects.toThrow(
      /^SEALING_KEYS: the key "good" was not unwrapped by Vault at http:\/\/127\.0\.0\.1:1 /,
    )
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong'
    await expect(unwrapped(other)).rejects.toThrow('InvalidSignatureException')
    process.env.AWS_SECRET_ACCESS_KEY = AWS_SECRET
  })

  it('are not created by a key that the provider does not have', async () => {
    await expect(createWrappedKey('k1', { ...env, VAULT_TRANSIT_KEY: 'transit/none' })).rejects.toThrow(
      `Vault at ${vault.url} (transit/none) did not create a key: status 404, no handler for route`,
    )
    await expect(createWrappedKey('k1', env, 'alias/none')).rejects.toThrow(
      'AWS KMS (eu-central-1, alias/none) did not create a key: NotFoundException: Alias alias/none is not found.',
    )
  })
})
