import { randomBytes } from 'node:crypto'
import { readPrivateJson, writePrivateJson } from './private-file.ts'

/** What must be the same at the next start: it opens what the databases hold. */
export type Keys = {
  readonly admin_token: string
  readonly sealing_keys: string
  readonly demo_api_key: string
  readonly workspace_id: string
  readonly app_key: string
  /** Both are told only once by the services, and so are kept here. */
  readonly app_secret?: string
  readonly partner_api_key?: string
}

/** Keys of earlier starts, by data folder, and how to keep more of them. */
export type KeyFile = { read(): Keys; add(more: Partial<Keys>): Keys }

export function openKeyFile(file: string): KeyFile {
  function read(): Keys {
    const kept = readPrivateJson(file) as Keys | undefined
    if (kept !== undefined) return kept
    const made: Keys = {
      admin_token: randomBytes(24).toString('base64url'),
      sealing_keys: `dev:${randomBytes(32).toString('base64')}`,
      demo_api_key: `demo_${randomBytes(18).toString('base64url')}`,
      workspace_id: 'demo',
      app_key: `ak_${randomBytes(9).toString('hex')}`,
    }
    writePrivateJson(file, made)
    return made
  }
  return {
    read,
    add(more) {
      const all = { ...read(), ...more }
      writePrivateJson(file, all)
      return all
    },
  }
}
