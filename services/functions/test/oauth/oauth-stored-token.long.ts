import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, type Link, openLink } from '@onward/testbed'
import { EXPIRED, useOak } from '../support/oauth-provider.ts'

/** Longer than the renewal lease. */
const OUTAGE_MS = 90_000

jest.setTimeout(240_000)

let link: Link
const oak = useOak({ CALL_TIMEOUT_MS: '2000' }, async (databaseUrl) => {
  link = await openLink(databaseUrl)
  return link
})

describe('a renewed token', () => {
  it('is stored after the database was away for 90 s', async () => {
    const { getMe, account } = await oak.oakUser(EXPIRED)
    const hold = link.hold(['sealed_credentials = $1, renewed_at'], 'request')
    const called = getMe().then(({ status }) => status)
    await hold.held
    link.set({ kind: 'reset' })
    hold.end('cut')
    expect(await called).toBe(503)
    await sleep(OUTAGE_MS)
    link.set({ kind: 'normal' })
    await eventually(async () => expect(await account()).toMatchObject({ status: 'active', last_error: null }))
    await eventually(() => getMe().expect(200))
    expect(oak.provider.tokenRequests()).toBe(1)
  })
})
