import type { Received } from '@onward/testbed'
import { openFunctions } from './support.ts'

/** The service with an app for every kind of authentication, paging and body; and a user of it. */
export async function openKinds() {
  const onward = await openFunctions({ env: { APPS_PATH: 'services/functions/test/kinds-apps' } })
  const { third, admin, application } = onward
  let users = 0

  return {
    onward,
    /** A new user with an account of the app on the scripted server. */
    async connect(app: string, credentials: Readonly<Record<string, string>>, path = '') {
      const user = onward.user(`user-${++users}`)
      const sent = { user_id: user.userId, app, credentials: { url: `${third.url}${path}`, ...credentials } }
      await admin('post', `/admin/applications/${application.appKey}/connected-accounts`, sent).expect(200)
      return user
    },
    /** What the scripted server received last. */
    last(): Received {
      const received = third.received.at(-1)
      if (!received) throw new Error('nothing was received')
      return received
    },
  }
}
