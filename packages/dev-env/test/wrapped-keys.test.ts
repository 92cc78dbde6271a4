import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createWrappedKey } from '@onward/runtime'
import { ADMIN_TOKEN, areaEnv, openVault, VAULT_TOKEN } from '@onward/testbed'
import { runCommand, sourcesOf, useServiceProcesses } from './use-service-processes.ts'

const logs = join(process.cwd(), '.onward', 'wrapped-keys')
mkdirSync(logs, { recursive: true })
const services = useServiceProcesses(logs)

it('a running service uses a sealing key that Vault wrapped after Vault has stopped, and a start without Vault says why it fails', async () => {
  const vault = await openVault()
  const key = await createWrappedKey('k1', { VAULT_ADDR: vault.url, VAULT_TOKEN })
  const env = { SEALING_KEYS: key, VAULT_ADDR: vault.url, VAULT_TOKEN }
  const [database, queue] = [await services.openSpace('postgres'), await services.openSpace()]
  runCommand(sourcesOf('functions'), database, 'migrate')
  const functions = await services.start('functions', { ...sourcesOf('functions'), env }, database, queue)
  await vault.close()

  const created = await fetch(`${functions.adminUrl}/admin/applications/sealed`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Sealed', workspace_id: 'acme' }),
  })
  expect(created.status).toBe(200)
  const { app_secret } = (await created.json()) as { app_secret: string }
  // The hash is checked with the application's secret, which is stored sealed.
  const hash = createHmac('sha256', app_secret).update('ann').digest('hex')
  const user = { 'App-Key': 'sealed', 'User-ID': 'ann', Hash: hash }
  const listed = await fetch(`${functions.url}/functions/list`, { method: 'POST', headers: user })
  expect(listed.status).toBe(200)

  for (const kind of ['functions', 'insights'] as const) {
    const all = {
      ...areaEnv({ databaseUrl: database.url, queueUrl: queue.url, queuePrefix: queue.prefix }),
      ...env,
      PATH: process.env.PATH,
    }
    const failed = await new Promise<string>((resolve) => {
      execFile(process.execPath, [...sourcesOf(kind).args], { env: all }, (_, _stdout, stderr) => resolve(stderr))
    })
    expect(failed).toBe(
      `SEALING_KEYS: the key "k1" was not unwrapped by Vault at ${vault.url} (transit/onward): fetch failed (ECONNREFUSED)\n`,
    )
  }
})
