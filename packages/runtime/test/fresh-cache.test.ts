import { eventually, type Link, openLink } from '@onward/testbed'
import { type Kysely, sql } from 'kysely'
import { type FreshCache, type Listener, openDatabase, openFreshCaches, openListener, openLog, SERVER_ID } from '../src/index.ts'
import { type Tables, usePostgres } from './use-postgres.ts'

const MAX = 20
const WAIT_MS = 25_000
const log = openLog('test', 'silent')
const postgres = usePostgres()

describe('a cache without a server', () => {
  const response = { askedAt: 0, direct: true, server: 'a' }
  let now = 0
  let caches: ReturnType<typeof openFreshCaches>
  let cache: FreshCache<string>
  beforeEach(() => {
    now = 100_000
    jest.spyOn(performance, 'now').mockImplementation(() => now)
    caches = openFreshCaches(log)
    cache = caches.open(MAX)
    caches.onNews()
    caches.onResponse({ ...response, askedAt: now })
  })
  afterEach(() => jest.restoreAllMocks())
  const load = (key: string, value = key, server = 'a') => cache.load(key, async () => ({ value, server }))

  it('returns a value less than 0.8 s after a question that was answered, and at most five minutes after it was read', async () => {
    expect(cache.get('k')).toBeUndefined()
    expect(await load('k')).toBe('k')
    for (const [ms, found] of [
      [799, 'k'],
      [1, undefined],
    ] as const) {
      now += ms
      expect(cache.get('k')).toBe(found)
    }
    caches.onResponse({ ...response, askedAt: now - 799 })
    expect(cache.get('k')).toBe('k')
    now += 299_199
    caches.onResponse({ ...response, askedAt: now })
    expect(cache.get('k')).toBe('k')
    now += 1
    expect(cache.get('k')).toBeUndefined()
    expect(await load('k', 'read again')).toBe('read again')
    expect(cache.get('k')).toBe('read again')
  })

  it.each<[string, () => void]>([
    ['its key is notified', () => caches.onNews('k')],
    ['all keys are notified', () => caches.onNews('')],
    ['listening begins again', () => caches.onNews()],
    ['this process has changed it', () => cache.drop('k')],
  ])('drops a value, and does not store one that is being read, when %s', async (_when, change) => {
    await load('k')
    change()
    caches.onResponse({ ...response, askedAt: now })
    expect(cache.get('k')).toBeUndefined()
    const read = cache.load('k', async () => {
      change()
      caches.onResponse({ ...response, askedAt: now })
      return { value: 'outdated', server: 'a' }
    })
    expect(await read).toBe('outdated')
    expect(cache.get('k')).toBeUndefined()
    await load('k', 'current')
    expect(cache.get('k')).toBe('current')
  })

  it('does not store what began to be read before a change and ends after a later read', async () => {
    let finish = (_value: string) => {}
    const slow = cache.load('k', async () => ({ value: await new Promise<string>((resolve) => (finish = resolve)), server: 'a' }))
    caches.onNews('k')
    await load('k', 'current')
    finish('outdated')
    expect(await slow).toBe('outdated')
    expect(cache.get('k')).toBe('current')
  })

  it('reads for each caller, and stores a value although reads of it always overlap', async () => {
    const finish: ((value: string) => void)[] = []
    const begin = () => cache.load('k', async () => ({ value: await new Promise<string>((resolve) => finish.push(resolve)), server: 'a' }))
    const [first, second] = [begin(), begin()]
    finish[0]?.('first')
    expect(await first).toBe('first')
    expect(cache.get('k')).toBe('first')
    finish[1]?.('second')
    expect(await second).toBe('second')
    expect(cache.get('k')).toBe('first')
  })

  it('stores nothing when the value does not exist or cannot be read', async () => {
    expect(await cache.load('k', async () => undefined)).toBeUndefined()
    await expect(cache.load('k', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
    await load('k')
    expect(cache.get('k')).toBe('k')
  })

  it('stores nothing from another server than that of the listener, and then drops what it has', async () => {
    await load('k')
    expect(await load('other', 'of an old primary', 'b')).toBe('of an old primary')
    expect([cache.get('k'), cache.get('other')]).toEqual([undefined, undefined])
    // Until the first response, the server of a new connection is unknown.
    caches.onNews()
    await load('k')
    caches.onResponse({ ...response, askedAt: now })
    expect(cache.get('k')).toBeUndefined()
  })

  it('returns nothing when a pooler answers', async () => {
    now += 1_000
    caches.onResponse({ ...response, askedAt: now, direct: false })
    await load('k')
    expect(cache.get('k')).toBeUndefined()
  })

  it('removes the oldest values when there is no room', async () => {
    const keys = Array.from({ length: MAX + 1 }, (_, n) => `k${n}`)
    for (const key of keys) await load(key)
    expect(keys.filter((key) => cache.get(key) === undefined)).toEqual(['k0', 'k1'])
  })
})

describe('a cache of a listener', () => {
  let link: Link
  let listener: Listener
  let db: Kysely<Tables>
  let cache: FreshCache<string>
  beforeAll(async () => {
    await sql`create function notify_change() returns trigger language plpgsql as
      $$ begin perform pg_notify('changes', old.id); return null; end $$`.execute(postgres.observer)
    await sql`create trigger notify_change after delete on stored for each row execute function notify_change()`.execute(postgres.observer)
  })
  beforeEach(async () => {
    link = await openLink(postgres.url)
    db = openDatabase<Tables>(postgres.url, 2)
    const caches = openFreshCaches(log)
    cache = caches.open(MAX)
    listener = openListener(link.url, { changes: caches.onNews }, log, caches.onResponse)
    await db.insertInto('stored').values({ id: 'k' }).execute()
    await isHeld()
  })
  afterEach(async () => {
    await db.deleteFrom('stored').execute()
    await listener.close()
    await db.destroy()
    await link.close()
  })

  const read = () =>
    cache.load('k', async () => {
      const { rows } = await sql<{ value: string; server: string }>`
        select id as value, ${sql.raw(SERVER_ID)} as server from stored where id = 'k'`.execute(db)
      return rows[0]
    })
  /** Waits until the row is in memory. */
  const isHeld = () =>
    eventually(async () => {
      if (cache.get('k') === undefined) await read()
      expect(cache.get('k')).toBe('k')
    }, WAIT_MS)
  const isDropped = () => eventually(() => expect(cache.get('k')).toBeUndefined(), WAIT_MS)
  const change = () => db.deleteFrom('stored').execute()

  it('drops a row that was deleted', async () => {
    await change()
    await isDropped()
    expect(await read()).toBeUndefined()
  })

  it('drops a row that is deleted while it is read, although the read began before', async () => {
    cache.drop('k')
    const reading = cache.load('k', async () => {
      const { rows } = await sql<{ value: string; server: string }>`
        select id as value, ${sql.raw(SERVER_ID)} as server from stored where id = 'k'`.execute(db)
      await change()
      await read()
      return rows[0]
    })
    expect(await reading).toBe('k')
    await isDropped()
    expect(await read()).toBeUndefined()
  })

  it.each<[string, () => void, () => void]>([
    ['is cut and cannot be opened again', () => link.set({ kind: 'reset' }), () => link.set({ kind: 'normal' })],
    ['falls silent', () => link.silence(), () => link.heal()],
  ])('returns nothing while the connection of the listener %s, and holds current values after that', async (_what, disturb, mend) => {
    disturb()
    await isDropped()
    // Nothing brings the row back as long as the disturbance lasts.
    await read()
    expect(cache.get('k')).toBeUndefined()
    await change()
    mend()
    await db.insertInto('stored').values({ id: 'k' }).execute()
    await isHeld()
    await change()
    await isDropped()
  })
})
