import type { Scheme } from '../src/index.ts'
import { builtInApp, builtInFunction } from './built-in-accounts.ts'

function schemeOf(name: string, type: string): Scheme {
  const scheme = builtInApp(name).schemes.find((item) => item.type === type)
  if (!scheme) throw new Error(`${name} has no ${type}`)
  return scheme
}

describe('signing in to the built-in apps', () => {
  it.each([
    [
      'hubspot',
      { token_url: 'https://api.hubapi.com/oauth/2026-03/token', revocation_url: 'https://api.hubapi.com/oauth/2026-03/token/revoke' },
    ],
    ['slack', { pkce: false }],
  ])('%s has the OAuth settings %j', (name, settings) => {
    expect(schemeOf(name, 'oauth2')).toMatchObject(settings)
  })

  it.each([['shopify', ['oauth2', 'oauth2_client_credentials', 'api_key']]])(
    '%s offers first what new users can still get: %j',
    (name, types) => {
      expect(builtInApp(name).schemes.map(({ type }) => type)).toEqual(types)
    },
  )

  it.each([['microsoft-teams', ['ChannelMessage.Read.All', 'TeamMember.Read.All', 'Channel.Create']]])(
    '%s does not ask users for %j, which only an administrator can grant',
    (name, scopes) => {
      const asked = schemeOf(name, 'oauth2') as { scopes?: readonly string[] }
      expect(asked.scopes?.filter((scope) => scopes.includes(scope))).toEqual([])
    },
  )
})

describe('the values that built-in apps accept', () => {
  it('are those of the vendor', () => {
    const poll = builtInFunction('telegram', 'send-poll').parameters.properties
    expect(poll.open_period).toMatchObject({ minimum: 5, maximum: 2_628_000 })
    const tickets = builtInFunction('freshdesk', 'list-tickets').parameters.properties
    expect(tickets.include?.items?.enum).toEqual(['requester', 'stats', 'description'])
  })
})
