import { openVault, VAULT_TOKEN } from '@onward/testbed'
import { openStage } from './stage.ts'

it('onward sealing-key makes a key, which Vault wraps if asked', async () => {
  const [stage, vault] = [await openStage(), await openVault()]
  try {
    const plain = await stage.run(['sealing-key', 'k2'])
    expect([plain.code, plain.out]).toEqual([0, expect.stringMatching(/^k2:[\w+/]{43}=\n$/)])
    const env = { VAULT_ADDR: vault.url, VAULT_TOKEN }
    const wrapped = await stage.run(['sealing-key', 'k2', '--vault'], { env })
    expect([wrapped.code, wrapped.out]).toEqual([0, expect.stringMatching(/^k2:vault:v1:[\w+/=]+\n$/)])
    const refused = await stage.run(['sealing-key', 'k2', '--vault'], { env: { ...env, VAULT_TOKEN: 'wrong' } })
    expect([refused.code, refused.out, refused.err]).toEqual([1, '', expect.stringContaining('permission denied')])
    expect(refused.err).not.toContain('wrong')
    expect((await stage.run(['sealing-key', 'k2:'])).code).toBe(2)
  } finally {
    await stage.close()
    await vault.close()
  }
})
