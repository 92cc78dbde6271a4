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
        todo: 'No action needed. Test the account if a call fails with 401 or 403.',
      }
    case 'expired':
      return {
        tone: 'warn',
        title: 'The credentials did not work when they were last used',
        why: `${app} rejected them, or did not issue a new access token. This may be temporary: the next successful call makes the account active again.`,
        who: `${app} if it has an outage, otherwise ${user}.`,
        todo: 'Test the account. If the test keeps failing, send the user a reconnect link.',
      }
    case 'reconnect_required':
      return {
        tone: 'bad',
        title: 'The user must reconnect this account',
        why: `${app} permanently rejected the access: the user revoked it, a password or policy changed, or it was unused for too long. Calls with this account are refused.`,
        who: user,
        todo: 'Create a reconnect link and send it to the user. Calls work again as soon as the user has signed in.',
      }
  }
}
