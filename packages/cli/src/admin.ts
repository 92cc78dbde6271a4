import { adminClient, type Target } from '@onward/contract-client'
import { need, openAt, readSettings } from './settings.ts'
import type { GlobalOptions, Terminal } from './terminal.ts'

/** Returns the admin API of a service. Throws a UsageError that names the missing setting. */
export async function adminOf(service: 'functions' | 'insights', terminal: Terminal, options: GlobalOptions): Promise<Target> {
  const settings = await readSettings(terminal, options)
  const token = need(settings, 'admin_token')
  return openAt(settings, `${service}_admin_url`, (url) => adminClient({ url, token }))
}
