import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writePrivateJson } from '../private-file.ts'

/** Keys that belong to the data in the databases, so that the next start needs the same ones. */
export type Keys = {
  readonly admin_token: string
  readonly sealing_keys: string
  readonly demo_api_key: string
  readonly workspace_id: string
  readonly app_key: string
  /** The application for published clients; absent in a file that an earlier version wrote. */
  readonly published_app_key?: string
  /** The services return these secrets and the next key only once, so they are stored here. */
  readonly app_secret?: string
  readonly published_app_secret?: string
  readonly partner_api_key?: string
  /** The address of the demo app in the accounts. */
  readonly demo_url?: string
}

export type KeyFile = { read(): Keys; add(more: Partial<Keys>): Keys }

/** Opens the file of the keys. `read` creates the keys if the file does not exist. */
export function openKeyFile(file: string): KeyFile {
  function read(): Keys {
    const stored = readKeys(file)
    if (stored !== undefined) return stored
    const keys: Keys = {
      admin_token: randomBytes(24).toString('base64url'),
      sealing_keys: `dev:${randomBytes(32).toString('base64')}`,
      demo_api_key: `demo_${randomBytes(18).toString('base64url')}`,
      workspace_id: 'demo',
      app_key: `ak_${randomBytes(9).toString('hex')}`,
    }
    writePrivateJson(file, keys)
    return keys
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

function readKeys(file: string): Keys | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`${file} cannot be read: ${(err as Error).message}`)
  }
}
