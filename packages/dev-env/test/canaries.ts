import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'

/** Secrets that must not be found anywhere. */
export type Canaries = {
  /** Returns a new secret, with characters that JSON, URLs and HTML write in other ways. */
  make(kind: string): string
  /** Adds a secret that a service has made, and returns it. */
  add(kind: string, secret: string): string
  readonly size: number
  /** Returns the kinds of the secrets that a text contains, each with the form in which it does. */
  find(text: string): string[]
}

/** Every form of a secret has at least this many characters. */
const KEY_LENGTH = 12

export function openCanaries(): Canaries {
  const secrets = new Map<string, string>()
  /** The forms of all secrets by their first characters, so that a text is searched for all of them at once. */
  const forms = new Map<string, { form: string; found: string }[]>()

  function add(kind: string, secret: string): string {
    if (secret.length < KEY_LENGTH || secrets.has(secret)) throw new Error(`${kind} is too short, or known already`)
    secrets.set(secret, kind)
    for (const [name, form] of formsOf(secret)) {
      const key = form.slice(0, KEY_LENGTH)
      forms.set(key, [...(forms.get(key) ?? []), { form, found: `${kind} ${name}` }])
    }
    return secret
  }

  return {
    make: (kind) => add(kind, `c"/+${randomBytes(15).toString('base64')}`),
    add,
    get size() {
      return secrets.size
    },
    find(text) {
      const all = new Set<string>()
      for (let i = 0; i + KEY_LENGTH <= text.length; i++) {
        for (const { form, found } of forms.get(text.slice(i, i + KEY_LENGTH)) ?? []) {
          if (text.startsWith(form, i)) all.add(found)
        }
      }
      return [...all]
    },
  }
}

/** Returns the forms in which a secret could appear, by name. */
export function formsOf(secret: string): [name: string, form: string][] {
  const bytes = Buffer.from(secret)
  const everyByte = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  return [
    ['as it is', secret],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in HTML', secret.replaceAll('"', '&quot;')],
    ['in hex', bytes.toString('hex')],
    ['in capital hex', bytes.toString('hex').toUpperCase()],
    ['in a URL', encodeURIComponent(secret)],
    ['in a form', new URLSearchParams({ x: secret }).toString().slice(2)],
    ['with every byte in a URL', everyByte],
    ['with every byte in a URL, in capitals', everyByte.toUpperCase()],
    ...[0, 1, 2].map((offset): [string, string] => [`in base64 after ${offset} bytes`, base64After(offset, bytes)]),
    ...[0, 1, 2].map((offset): [string, string] => [
      `in base64url after ${offset} bytes`,
      base64After(offset, bytes).replaceAll('+', '-').replaceAll('/', '_'),
    ]),
  ]
}

/** Returns the base64 of bytes after `offset` other bytes, without the characters at both ends that depend on other bytes. */
function base64After(offset: number, bytes: Buffer): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replaceAll('=', '')
  return encoded.slice([0, 2, 3][offset], (offset + bytes.length) % 3 === 0 ? undefined : -1)
}

/** Returns every row of every table of a database. Binary values appear as Latin-1 text. */
export async function dumpDatabase(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(`
      select oid::regclass::text as name from pg_class
      where relkind = 'r' and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`)
    const dump: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<Record<string, unknown>>(`select * from ${name}`)
      for (const row of rows) dump.push(name, ...Object.values(row).map(textOf))
    }
    return dump.join('\n')
  } finally {
    await client.end()
  }
}

function textOf(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString('latin1')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns everything that queues store: each key and value in Redis, or each row in Postgres. */
export async function dumpQueues({ url, prefix }: { readonly url: string; readonly prefix: string }): Promise<string> {
  if (url.startsWith('postgres')) return await dumpDatabase(url)
  const redis = new Redis(url)
  try {
    const dump: string[] = []
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) {
      for (const key of keys) dump.push(key, ...[await valuesOf(redis, key)].flat(Number.POSITIVE_INFINITY).map(String))
    }
    return dump.join('\n')
  } finally {
    redis.disconnect()
  }
}

async function valuesOf(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key)
  switch (type) {
    case 'string':
      return await redis.get(key)
    case 'hash':
      return Object.entries(await redis.hgetall(key))
    case 'list':
      return await redis.lrange(key, 0, -1)
    case 'set':
      return await redis.smembers(key)
    case 'zset':
      return await redis.zrange(key, '0', '-1')
    case 'stream':
      return await redis.xrange(key, '-', '+')
    case 'none':
      // The key expired, or its job ended, after it was listed.
      return []
    default:
      throw new Error(`the key ${key} has the type ${type}`)
  }
}
