import { setTimeout as sleep } from 'node:timers/promises'
import { connectAccount, listConnectedAccounts, putOAuthClient } from '@onward/contract'
import { send } from '@onward/contract-client'
import { firstTokens } from '../child/token-provider.ts'
import type { Rig } from '../rig/open-rig.ts'
import { APP_KEY, adminOf, type User } from '../rig/workspace.ts'
import { allowed, type Finding, none } from './counts.ts'
import type { Result } from './try-call.ts'

/** Users whose calls need an access token that is renewed every few seconds. */
export type RenewingUsers = {
  readonly users: readonly User[]
  /** Calls for each user until the app accepts the access token. Returns the ids of the calls that were answered 200. */
  settle(attempt: (place: number, user: User) => Promise<Result>): Promise<string[]>
  check(rig: Rig): Promise<Finding[]>
}

const APP = 'diary'
const CALL = { name: 'diary-get-entry', args: {} }
/** The lease of a killed process ends after 30 s, a failed renewal is tried again some seconds later, and 10 s. */
const SETTLED_MS = 45_000
/** A process may be killed before the provider gets the request that it has sent. */
const SENT_MS = 1_000

/**
 * Connects an account of the diary for some users. Its requests do not pass through the link to the third party, because a lost response of
 * the provider loses an account.
 */
export async function connectRenewing(rig: Rig, users: readonly User[]): Promise<RenewingUsers> {
  const params = { app_key: APP_KEY }
  const admin = adminOf(rig.functions[0])
  await send(admin, putOAuthClient, { params: { ...params, app: APP }, body: { client_id: 'faults', client_secret: 'secret-of-the-runs' } })
  for (const { id } of users) {
    await send(admin, connectAccount, { params, body: { user_id: id, app: APP, credentials: firstTokens(id) } })
  }
  const renewing = users.map((user) => ({ ...user, call: CALL }))
  const unable = new Set(users.map(({ id }) => id))
  let settleMs = 0

  return {
    users: renewing,
    async settle(attempt) {
      const from = performance.now()
      const answered: string[] = []
      for (let place = 0; unable.size > 0 && performance.now() - from < SETTLED_MS; place++) {
        for (const user of renewing.filter(({ id }) => unable.has(id))) {
          const { failure, callId, text } = await attempt(place, user)
          if (failure === undefined) answered.push(callId)
          if (failure === undefined && text.includes('"network_code":200')) unable.delete(user.id)
        }
        if (unable.size > 0) await sleep(100)
      }
      settleMs = performance.now() - from
      return answered
    },
    async check({ functions, thirdPartyLog }) {
      const { grants, expired } = await thirdPartyLog()
      const { connected_accounts: accounts } = await send(admin, listConnectedAccounts, { params, query: { app: APP } })
      const lost = accounts.filter(({ status }) => status === 'reconnect_required').map(({ user_id }) => user_id)
      const refused = grants.flatMap((grant) => grant.refused.map((each) => ({ ...each, user: grant.user })))
      const kills = functions.flatMap(({ killedAt }) => killedAt)
      const stops = [...kills, ...functions.flatMap(({ frozenAt }) => frozenAt)]
      const anyBetween = (times: readonly number[], { issuedAt, at }: (typeof refused)[number]) =>
        times.some((time) => time > issuedAt - SENT_MS && time < at)
      // The killed process may have received the tokens and not stored them.
      const killed = refused.filter((each) => anyBetween(kills, each)).map(({ user }) => user)
      const issued = grants.reduce((sum, grant) => sum + grant.issued, 0)
      const early = grants.reduce((sum, grant) => sum + grant.early, 0)
      const figures = `${issued} for ${users.length} accounts, ${early} early, ${refused.length} refused; ${expired} calls with an expired token`
      return [
        { what: 'token requests', found: figures, holds: issued > users.length },
        none(
          'refused, though no process was killed, stopped or cut off from its database since the last token',
          refused.filter((each) => !anyBetween(stops, each)).length,
        ),
        none('accounts lost, though no process was killed since the last token', lost.filter((id) => !killed.includes(id)).length),
        // Such an account is refused for two minutes before it must be connected again.
        allowed(
          'accounts lost by a kill',
          killed.filter((id, at) => killed.indexOf(id) === at && (lost.includes(id) || unable.has(id))).length,
        ),
        none(
          `other users whose calls the app refuses after the run; settled in ${(settleMs / 1_000).toFixed(1)} s`,
          [...unable].filter((id) => !lost.includes(id) && !killed.includes(id)).length,
        ),
      ]
    },
  }
}
