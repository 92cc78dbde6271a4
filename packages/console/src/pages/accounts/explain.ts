import type { getConnectedAccount, ResponseOf } from '@onward/contract'

export type AccountDetail = ResponseOf<typeof getConnectedAccount>
type Status = AccountDetail['status']

/** A state in plain words. `who` has to act, and `todo` says how. */
type Explanation = {
  readonly tone: 'good' | 'warn' | 'bad'
  readonly title: string
  readonly why: string
  readonly who: string | undefined
  readonly todo: string
}

/** Says what the state of an account means, whose fault it is and what to do. */
export function explain(status: Status, app: string, user: string): Explanation {
  switch (status) {
    case 'active':
      return {
        tone: 'good',
        title: 'The account works',
        why: `${app} accepted the credentials when they were last used.`,
        who: undefined,
        todo: 'There is nothing to do. Test it if a call fails with 401 or 403.',
      }
    case 'expired':
      return {
        tone: 'warn',
        title: 'The credentials did not work the last time',
        why: `${app} refused them, or issued no new access token. This can pass: calls still try the account, and a call that works makes it active again.`,
        who: `${app} if it has an outage, else ${user}.`,
        todo: 'Test the account. If the test fails more than once, send the user a link to reconnect.',
      }
    case 'reconnect_required':
      return {
        tone: 'bad',
        title: 'The user must connect again',
        why: `${app} has rejected the grant for good: the user has revoked it, the password or the policy has changed, or it was not used for too long. Calls with this account are refused before they are sent.`,
        who: `${user}. Neither you nor Onward can repair this.`,
        todo: 'Make a link and send it to the user. Calls work again as soon as the user has signed in.',
      }
  }
}
