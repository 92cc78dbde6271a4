import { type Link, openLink } from '@onward/testbed'
import { type User, useFunctions } from './support.ts'

/** Starts the service behind a link to its database, with a user who has an account of desk. */
export function useLink() {
  let link: Link
  let joe: User
  const onward = useFunctions({
    async openLink(databaseUrl) {
      link = await openLink(databaseUrl)
      return link
    },
  })
  beforeAll(async () => {
    joe = onward.user('joe')
    await joe.connect('desk')
  })

  return {
    onward,
    get link() {
      return link
    },
    get joe() {
      return joe
    },
    /** Calls a function of desk as this user. */
    call: () => joe.call('desk-list-labels'),
  }
}
