import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { ConfigError } from './env.ts'

/** Encrypts secrets for storage. `row` names the row of a secret: `open` throws if the sealed value was moved to another row. */
export type Sealer = {
  seal(plain: string | Uint8Array, row: string): Buffer
  open(sealed: Buffer, row: string): string
  openBytes(sealed: Buffer, row: string): Buffer
  /** The first bytes of every value that was sealed with the first key. */
  readonly head: Buffer
  /** Wraps the data key of a value with the first key. The value itself stays as it is, so `sealedTag` does not change. */
  rewrap(sealed: Buffer, row: string): Buffer
  /** Returns 16 hexadecimal digits, the same for the same text. Without the first key, the text cannot be guessed from them. */
  pseudonym(text: string): string
}

/** Returns the last bytes of a sealed value: its authentication tag. No two calls of `seal` return the same, and `rewrap` keeps it. */
export function sealedTag(sealed: Buffer): Buffer {
  return sealed.subarray(-TAG)
}

/** Key-encryption keys of 32 bytes with their ids. The first one seals and all of them open, so that a key can be replaced in steps. */
export type SealingKeys = readonly { id: string; key: Buffer }[]

/** Reads the value of SEALING_KEYS: `id:base64,id:base64,…`, 32 bytes each. Throws a ConfigError. */
export function readSealingKeys(raw: string): SealingKeys {
  const keys = raw.split(',').map((entry) => {
    const [id, encoded, ...rest] = entry.trim().split(':')
    const key = Buffer.from(encoded ?? '', 'base64')
    if (!id || !/^[\w-]{1,32}$/.test(id) || rest.length > 0 || key.length !== 32) {
      throw new ConfigError(
        'SEALING_KEYS must hold id:key pairs, each key 32 bytes in base64 (openssl rand -base64 32) or wrapped (id:vault:…, id:aws-kms:…)',
      )
    }
    return { id, key }
  })
  // If two keys had the same id, the wrong one could be chosen to open a value.
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new ConfigError('SEALING_KEYS must hold each key id once')
  return keys
}

const IV = 12
const TAG = 16
const WRAPPED = IV + 32 + TAG

/**
 * Seals with AES-256-GCM and one data key per value, which the first key wraps. Layout: length of the key id, key id, wrapped data key,
 * value. Rotating the keys changes only the wrapped data key.
 */
export function openSealer(keys: SealingKeys): Sealer {
  const [current] = keys
  if (current === undefined) throw new ConfigError('there is no sealing key')
  const byId = new Map(keys.map(({ id, key }) => [id, key]))
  const pseudonymKey = createSecretKey(createHmac('sha256', current.key).update('pseudonym').digest())
  const head = Buffer.from(`-${current.id}`)
  head[0] = head.length - 1

  const wrap = (dataKey: Buffer, row: string) => Buffer.concat([head, encrypt(current.key, dataKey, `${current.id}/${row}`)])

  /** Returns the data key of a value and where the value begins. */
  function unwrap(sealed: Buffer, row: string): { dataKey: Buffer; start: number } {
    const idEnd = 1 + (sealed[0] ?? 0)
    const id = sealed.subarray(1, idEnd).toString()
    const key = byId.get(id)
    if (key === undefined) throw new Error(`a stored secret was sealed with key "${id}", which is not in SEALING_KEYS`)
    const start = idEnd + WRAPPED
    return { dataKey: decrypt(key, sealed.subarray(idEnd, start), `${id}/${row}`), start }
  }

  function openBytes(sealed: Buffer, row: string): Buffer {
    const { dataKey, start } = unwrap(sealed, row)
    return decrypt(dataKey, sealed.subarray(start), row)
  }

  return {
    head,
    seal(plain, row) {
      const dataKey = randomBytes(32)
      return Buffer.concat([wrap(dataKey, row), encrypt(dataKey, Buffer.from(plain), row)])
    },
    open: (sealed, row) => openBytes(sealed, row).toString(),
    openBytes,
    pseudonym: (text) => createHmac('sha256', pseudonymKey).update(text).digest('hex').slice(0, 16),
    rewrap(sealed, row) {
      const { dataKey, start } = unwrap(sealed, row)
      return Buffer.concat([wrap(dataKey, row), sealed.subarray(start)])
    },
  }
}

function encrypt(key: Buffer, plain: Buffer, row: string): Buffer {
  const iv = randomBytes(IV)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(row))
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Buffer, sealed: Buffer, row: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV), { authTagLength: TAG }).setAAD(Buffer.from(row))
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG))
  return Buffer.concat([decipher.update(sealed.subarray(IV, sealed.length - TAG)), decipher.final()])
}

/** Seals a text for a URL, a form or a cookie. Whoever has it can neither read nor change it, and it opens only for the same purpose. */
export function sealText(sealer: Pick<Sealer, 'seal'>, text: string, purpose: string): string {
  return sealer.seal(text, purpose).toString('base64url')
}

/** Returns the text of `sealText`; undefined if this service did not seal it for this purpose, or the key is no longer in use. */
export function openText(sealer: Pick<Sealer, 'open'>, sealed: unknown, purpose: string): string | undefined {
  if (typeof sealed !== 'string' || !/^[\w-]+$/.test(sealed)) return undefined
  try {
    return sealer.open(Buffer.from(sealed, 'base64url'), purpose)
  } catch {
    return undefined
  }
}
