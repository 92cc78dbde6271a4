import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { EXPIRED, useOak } from '../support/oauth-provider.ts'
import type { User } from '../support/support.ts'

const oak = useOak()
let other: { readonly url: string }

beforeAll(async () => {
  other = await oak.onward.startAnother()
})

/** Calls the function in the other process. */
async function getMeThere({ headers }: User) {
  const response = await fetch(`${other.url}/functions/oak-get-me/call`, { method: 'POST', headers })
  const body = (await response.json()) as { code?: string; network_code?: number }
  return { status: response.status, code: body.code ?? body.network_code }
}

/**
 * Makes a call with an expired token. The provider issues new tokens, but the process does not receive them until `resume`, as if it were
 * suspended. Its lease expired `seconds` ago.
 */
async function suspendedRenewal(seconds: number) {
  const { user, id, getMe, account } = await oak.oakUser(EXPIRED)
  let resume: () => void = () => {}
  oak.provider.onToken = (_received, response) => {
    const tokens = oak.provider.grant()
    resume = () => sendJson(response, 200, { ...tokens, token_type: 'bearer', expires_in: 3_600 })
  }
  const called = getMe().then(({ status, body }) => ({ status, code: body.code ?? body.network_code }))
  await eventually(() => expect(oak.provider.tokenRequests()).toBe(1))
  oak.provider.onToken = null
  const row = oak.onward.db.updateTable('connected_account').where('id', '=', String(id))
  await row.set({ renew_leased_until: sql<Date>`now() - make_interval(secs => ${seconds})` }).execute()
  return { user, getMe, account, called, resume: () => resume() }
}

describe('a token renewal whose process is suspended for longer than its lease', () => {
  it('stores its token, although another process was refused with the old one', async () => {
    const { user, account, called, resume } = await suspendedRenewal(1)
    expect(await getMeThere(user)).toEqual({ status: 503, code: 'unavailable' })
    expect(oak.provider.tokenRequests()).toBe(2)
    expect(await account()).toMatchObject({ status: 'expired', last_error: 'Oak: invalid_grant: used or gone' })
    resume()
    expect(await called).toEqual({ status: 200, code: 200 })
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
    await eventually(async () => expect(await getMeThere(user)).toEqual({ status: 200, code: 200 }))
    expect(oak.provider.tokenRequests()).toBe(2)
  })

  it('makes the account active again, although it had to be connected again after two minutes', async () => {
    const { user, account, called, resume } = await suspendedRenewal(121)
    expect(await getMeThere(user)).toEqual({ status: 400, code: 'account_reconnect_required' })
    expect((await account()).status).toBe('reconnect_required')
    resume()
    expect(await called).toEqual({ status: 200, code: 200 })
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
    await eventually(async () => expect(await getMeThere(user)).toEqual({ status: 200, code: 200 }))
  })

  it('counts as unfinished at each attempt until two minutes have passed', async () => {
    const { user, account, called, resume } = await suspendedRenewal(1)
    for (const requests of [2, 3]) {
      await eventually(async () => {
        expect(await getMeThere(user)).toEqual({ status: 503, code: 'unavailable' })
        expect(oak.provider.tokenRequests()).toBe(requests)
      })
    }
    expect((await account()).status).toBe('expired')
    resume()
    expect(await called).toEqual({ status: 200, code: 200 })
  })

  it('does not replace the token that another process has stored', async () => {
    const { user, getMe, called, resume } = await suspendedRenewal(1)
    oak.provider.onToken = (_received, response) =>
      sendJson(response, 200, { ...oak.provider.grant(), token_type: 'bearer', expires_in: 3_600 })
    expect(await getMeThere(user)).toEqual({ status: 200, code: 200 })
    resume()
    await called
    expect(await getMeThere(user)).toEqual({ status: 200, code: 200 })
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    expect(oak.provider.tokenRequests()).toBe(2)
  })
})
