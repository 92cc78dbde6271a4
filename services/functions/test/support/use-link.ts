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

  /** Resets the next connection that sends this text when Postgres responds, so that the response is lost. Resolves then. */
  async function loseResponse(text: string): Promise<void> {
    const hold = link.hold([text], 'response')
    await hold.held
    hold.end('cut')
  }

  /** Withholds the next request that contains this text, and resets the client's connection. Resolves with a function that delivers the request. */
  async function holdRequest(text: string): Promise<() => void> {
    const hold = link.hold([text], 'request')
    await hold.held
    hold.resetClient()
    return () => hold.end('deliver')
  }

  return {
    onward,
    loseResponse,
    holdRequest,
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
