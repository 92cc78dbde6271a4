import { type Credentials, connectFields, type Scheme, withDefaults } from '../src/index.ts'
import { builtInApp, builtInFunction } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

function schemeOf(name: string, type: string): Scheme {
  const scheme = builtInApp(name).schemes.find((item) => item.type === type)
  if (!scheme) throw new Error(`${name} has no ${type}`)
  return scheme
}

const hubspot = 'https://api.hubapi.com/oauth/2026-03/token'

describe('signing in to the built-in apps', () => {
  it.each([
    ['hubspot', { token_url: hubspot, revocation_url: `${hubspot}/revoke` }],
    [
      'slack',
      {
        pkce: false,
        authorization_parameters: { user_scope: 'search:read' },
        other_tokens: { user_token: '/authed_user/access_token' },
      },
    ],
    [
      'stripe',
      {
        authorization_url: 'https://marketplace.stripe.com/oauth/v2/authorize',
        token_url: 'https://api.stripe.com/v1/oauth/token',
        client_authentication: 'secret_as_username',
        pkce: false,
      },
    ],
    [
      'jira',
      {
        authorization_url: 'https://auth.atlassian.com/authorize',
        token_url: 'https://auth.atlassian.com/oauth/token',
        authorization_parameters: { audience: 'api.atlassian.com', prompt: 'consent' },
        scopes: expect.arrayContaining(['offline_access', 'read:jira-work', 'write:jira-work']),
        pkce: false,
      },
    ],
    ['pipedrive', { pkce: false, settings: { api_domain: { token: '/api_domain' } } }],
  ])('%s has the OAuth settings %j', (name, settings) => {
    expect(schemeOf(name, 'oauth2')).toMatchObject(settings)
  })

  it.each([
    ['shopify', ['oauth2', 'oauth2_client_credentials', 'api_key']],
    ['zendesk', ['oauth2', 'oauth2_client_credentials', 'basic']],
    ['jira', ['oauth2', 'basic']],
  ])('%s offers first what new users can still get: %j', (name, types) => {
    expect(builtInApp(name).schemes.map(({ type }) => type)).toEqual(types)
  })

  it.each([
    ['microsoft-teams', ['ChannelMessage.Read.All', 'TeamMember.Read.All', 'Channel.Create']],
    ['google-sheets', ['https://www.googleapis.com/auth/drive.metadata.readonly']],
  ])('%s does not ask users for %j', (name, scopes) => {
    const asked = schemeOf(name, 'oauth2') as { scopes?: readonly string[] }
    expect(asked.scopes?.filter((scope) => scopes.includes(scope))).toEqual([])
  })

  it.each<[string, string, string[]]>([
    ['jira', 'oauth2', ['site']],
    ['jira', 'basic', ['email', 'api_token', 'site']],
    ['salesforce', 'oauth2', ['login?']],
    ['salesforce', 'bearer', ['token', 'instance_url']],
    ['paypal', 'oauth2_client_credentials', ['client_id', 'client_secret', 'environment?']],
    ['quickbooks', 'oauth2', ['host?']],
    ['gitlab', 'oauth2', []],
    ['gitlab', 'bearer', ['token', 'url?']],
    ['webflow', 'oauth2', []],
    ['webflow', 'bearer', ['token', 'host?']],
    ['pipedrive', 'oauth2', []],
    ['zendesk', 'oauth2_client_credentials', ['client_id', 'client_secret', 'subdomain']],
  ])('%s asks for the fields of %s: %j', (name, type, fields) => {
    const asked = connectFields(builtInApp(name), schemeOf(name, type))
    expect(asked.map((field) => (field.default === undefined ? field.name : `${field.name}?`))).toEqual(fields)
  })
})

describe('the hosts of the built-in apps', () => {
  it.each<[string, string, Credentials, string]>([
    ['jira', 'get-current-user', { email: 'a@b.c', api_token: 't', site: 'acme' }, 'https://acme.atlassian.net/rest/api/3/myself'],
    [
      'jira',
      'list-boards',
      { access_token: 't', site: 'acme', cloud_id: '11223344-a1b2' },
      'https://api.atlassian.com/ex/jira/11223344-a1b2/rest/agile/1.0/board?maxResults=50',
    ],
    ['pipedrive', 'get-current-user', { api_key: 'k' }, 'https://api.pipedrive.com/api/v1/users/me'],
    ['pipedrive', 'get-current-user', { access_token: 't' }, 'https://api.pipedrive.com/api/v1/users/me'],
    [
      'pipedrive',
      'get-current-user',
      { access_token: 't', api_domain: 'https://acme.pipedrive.com' },
      'https://acme.pipedrive.com/api/v1/users/me',
    ],
    ['paypal', 'get-merchant', { access_token: 't', client_id: 'i', client_secret: 's' }, 'https://api-m.paypal.com/'],
    [
      'paypal',
      'get-merchant',
      { access_token: 't', client_id: 'i', client_secret: 's', environment: 'api-m.sandbox' },
      'https://api-m.sandbox.paypal.com/',
    ],
    ['quickbooks', 'get-company', { access_token: 't', realm_id: '1' }, 'https://quickbooks.api.intuit.com/v3/company/1/'],
    [
      'quickbooks',
      'get-company',
      { access_token: 't', realm_id: '1', host: 'sandbox-quickbooks' },
      'https://sandbox-quickbooks.api.intuit.com/v3/company/1/',
    ],
    ['gitlab', 'get-current-user', { access_token: 't' }, 'https://gitlab.com/api/v4/user'],
    ['gitlab', 'get-current-user', { token: 't' }, 'https://gitlab.com/api/v4/user'],
    ['gitlab', 'get-current-user', { token: 't', url: 'https://git.acme.example' }, 'https://git.acme.example/api/v4/user'],
    // A server of the user never gets the token of gitlab.com.
    ['gitlab', 'get-current-user', { access_token: 't', url: 'https://git.acme.example' }, 'https://gitlab.com/api/v4/user'],
    ['webflow', 'list-sites', { access_token: 't' }, 'https://api.webflow.com/v2/sites'],
    ['webflow', 'list-sites', { token: 't' }, 'https://api.webflow.com/v2/sites'],
    ['webflow', 'list-sites', { token: 't', host: 'api.eu' }, 'https://api.eu.webflow.com/v2/sites'],
  ])('%s-%s of %j is sent to %s', (name, phrase, account, url) => {
    const fn = builtInFunction(name, phrase)
    expect(build(fn, {}, withDefaults(fn.app, account)).url.startsWith(url)).toBe(true)
  })

  it('Slack is searched with the token of the user, and used with that of the bot', () => {
    const account = { access_token: 'xoxb', user_token: 'xoxp' }
    expect(build(builtInFunction('slack', 'search-messages'), { query: 'a' }, account).headers.authorization).toBe('Bearer xoxp')
    expect(build(builtInFunction('slack', 'get-current-user'), {}, account).headers.authorization).toBe('Bearer xoxb')
  })

  it('Zoom gets the UUID of a meeting encoded twice when it begins with a slash', () => {
    const account = { access_token: 'T', account_id: 'Z' }
    const url = (phrase: string, args: object) => build(builtInFunction('zoom', phrase), { ...args }, account).url
    expect(url('list-participants', { meetingUUID: '/aj==' })).toContain('/past_meetings/%252Faj%253D%253D/participants')
    expect(url('get-recordings', { meetingId: '/aj==' })).toContain('/meetings/%252Faj%253D%253D/recordings')
  })
})

describe('the values that built-in apps accept', () => {
  it.each([
    ['telegram', 'send-poll', 'open_period', { minimum: 5, maximum: 2_628_000 }],
    ['freshdesk', 'list-tickets', 'include', { items: { enum: ['requester', 'stats', 'description'] } }],
    ['webflow', 'list-items', 'sort_by', { enum: ['lastPublished', 'name', 'slug'] }],
    ['openai', 'generate-image', 'model', { default: 'gpt-image-2.6-flare' }],
  ])('%s-%s accepts for %s what the vendor does: %j', (name, phrase, parameter, schema) => {
    expect(builtInFunction(name, phrase).parameters.properties[parameter]).toMatchObject(schema)
  })

  it.each([
    ['salesforce', 'login', ['login', 'test', 'acme.my', 'acme--dev.sandbox.my'], ['evil.example', 'login.salesforce.com', 'acme']],
    ['paypal', 'environment', ['api-m', 'api-m.sandbox'], ['api', 'www']],
    ['quickbooks', 'host', ['quickbooks', 'sandbox-quickbooks'], ['quickbooks.x']],
    ['webflow', 'host', ['api', 'api.eu'], ['api.us', 'eu']],
    ['pipedrive', 'api_domain', ['https://acme.pipedrive.com'], ['https://evil.example', 'https://pipedrive.com.evil.example']],
  ])('the setting %s.%s takes %j and not %j', (name, setting, good, bad) => {
    const pattern = new RegExp(builtInApp(name).accountSettings.find((item) => item.name === setting)?.pattern ?? '', 'u')
    expect([good.map((value) => pattern.test(value)), bad.map((value) => pattern.test(value))]).toEqual([
      good.map(() => true),
      bad.map(() => false),
    ])
  })
})
