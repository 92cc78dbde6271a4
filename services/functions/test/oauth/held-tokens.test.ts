import { eventually, type Link, openLink } from '@onward/testbed'
import { sql } from 'kysely'
import { useOak } from '../support/oauth-provider.ts'
import type { User } from '../support/support.ts'

const oak = useOak()
let link: Link
let other: { readonly url: string }

beforeAll(async () => {
  // The link only disturbs the connection of the second process that listens.
  link = await openLink(oak.onward.suite.databaseUrl, 'listen ')
  other = await oak.onward.startAnother({ databaseDirectUrl: link.url })
})
afterEach(() => link.heal())
afterAll(async () => {
  await oak.onward.close()
  await link.close()
})

/** Calls the function in the second process. Returns the status that the provider answered. */
async function getMeThere({ headers }: User): Promise<number | undefined> {
  const signal = AbortSignal.timeout(5_000)
  const response = await fetch(`${other.url}/functions/oak-get-me/call`, { method: 'POST', headers, signal })
  return ((await response.json()) as { network_code?: number }).network_code
}

/** Waits until the second process makes calls although it cannot read the account. Then it receives no more notifications. */
async function holdThere(user: User): Promise<void> {
  await eventually(async () => {
    expect(await getMeThere(user)).toBe(200)
    await oak.onward.db.transaction().execute(async (tx) => {
      await sql`lock table connected_account in access exclusive mode`.execute(tx)
      expect(await getMeThere(user)).toBe(200)
    })
  })
  link.silence()
  oak.provider.received.length = 0
}

describe('a token in the memory of a process', () => {
  it('is not used any more after the process has renewed it', async () => {
    const { user } = await oak.oakUser()
    await holdThere(user)
    oak.provider.refuseToken()
    expect(await getMeThere(user)).toBe(200)
    expect(await getMeThere(user)).toBe(200)
    expect(oak.provider.received.map(({ url }) => url)).toEqual(['/me', '/token', '/me', '/me'])
  })

  it('is replaced by the one that another process has received, without a second renewal', async () => {
    const { user, getMe } = await oak.oakUser()
    await holdThere(user)
    oak.provider.refuseToken()
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    expect(await getMeThere(user)).toBe(200)
    expect(oak.provider.tokenRequests()).toBe(1)
  })

  it('is renewed in time although it is in memory', async () => {
    // A token is renewed when less than a fifth of its lifetime is left.
    const expires = new Date(Date.now() + 6_000).toISOString()
    const { user } = await oak.oakUser({ expires_at: expires })
    await oak.onward.db.updateTable('connected_account').set({ renewed_at: new Date() }).execute()
    await eventually(async () => {
      expect(await getMeThere(user)).toBe(200)
      expect(oak.provider.tokenRequests()).toBe(1)
    })
  })
})
