import { problemsOf, sampleText } from './sample-app.ts'

const field = { title: 'A field', description: 'A field.' }
const endpoint = { token_url: 'https://auth.example.com/token' }
const oauth = { type: 'oauth2', authorization_url: 'https://auth.example.com/authorize', ...endpoint }
const help = { url: 'https://a.example', steps: ['Click New.', 'Copy the id.'], source: 'https://a.example/docs' }
const shop = { account_settings: { shop: { title: 'Shop', description: 'A shop.' } } }
const custom = (more: object) => ({ type: 'custom', fields: { a: field }, ...more })
const basic = (more: object) => ({ type: 'basic', fields: { a: field }, username: '{a}', password: '', ...more })

const file = `name: sample
title: Sample
description: A sample.
base_url: https://api.example.com
auth:
  - type: bearer
  - type: custom
    fields:
      one: { title: One, description: The one. }
      two: { title: Two, description: The two. }
    headers: { Host: '{one}' }
  - type: oauth2
    authorization_url: https://{account.site}.example.com
    token_url: http://auth.example.com/token
functions: {}
`

describe('the load errors of help', () => {
  it('name texts for fields that no person enters', () => {
    const help = { token: 'In the settings.', access_token: 'From nowhere.', site: 'In the address.' }
    expect(problemsOf(sampleText({ auth: [{ type: 'bearer' }, oauth], help }))).toEqual([
      expect.stringMatching(/^sample\.yaml:\d+: help\.access_token: is not a field that a person enters$/),
      expect.stringMatching(/^sample\.yaml:\d+: help\.site: is not a field that a person enters$/),
    ])
  })
})

describe('the load errors of auth', () => {
  it('name the line of the scheme', () => {
    expect(problemsOf(file)).toEqual([expect.stringMatching(/^sample\.yaml:14: auth\.2\.token_url: must match pattern/)])
    expect(problemsOf(file.replace('http:', 'https:'))).toEqual([
      'sample.yaml:7: auth.1: Host is set by the HTTP client only',
      'sample.yaml:10: auth.1.fields.two: is not used by this scheme',
      'sample.yaml:13: auth.2.authorization_url: {account.site} is neither a parameter nor {account.<setting>}',
    ])
  })

  it.each<[unknown, string]>([
    [[], 'auth: must NOT have fewer than 1 items'],
    [['bearer'], 'auth.0: must be object'],
    ['bearer', 'auth: must be object'],
    [[{ type: 'bearer' }, { type: 'magic' }], 'auth.1.type: must be one of none, api_key, bearer, basic, custom, oauth2,'],
    [[{ type: 'none' }, { type: 'none' }], 'auth.1.type: there is another scheme of type none'],
    [[{ type: 'bearer' }, custom({ fields: { token: field }, headers: { A: '{token}' } })], 'auth.1: the field token belongs to another'],
    [[oauth, custom({ fields: { access_token: field }, query: { a: '{access_token}' } })], 'auth.1: the field access_token belongs to'],
    [[custom({ fields: { expires_at: field }, query: { a: '{expires_at}' } }), oauth], 'auth.1: the field expires_at belongs to another'],
    [{ type: 'api_key', in: 'header', name: 'X Key' }, 'auth: X Key is not a header name'],
    [{ type: 'api_key', in: 'header', name: 'Cookie' }, 'auth: Cookie is set by the HTTP client only'],
    [{ ...oauth, header: 'Host' }, 'auth: Host is set by the HTTP client only'],
    [custom({}), 'auth.fields.a: is not used by this scheme'],
    [custom({ fields: {} }), 'auth.fields: must NOT have fewer than 1'],
    [custom({ fields: { A: field }, path: '/{A}' }), 'auth.fields.A: is not a valid name'],
    [custom({ fields: { constructor: field }, path: '/{constructor}' }), 'auth.fields.constructor: is a reserved name'],
    [custom({ headers: { A: '{a}', B: '{b}' } }), 'auth.headers.B: {b} is not a field of this scheme'],
    [custom({ headers: { A: '{a} {account.shop}' } }), 'auth.headers.A: {account.shop} is not a field of this scheme'],
    [custom({ query: { A: '{a*}' }, path: '/{a}' }), 'auth.query.A: {a*} is not a field of this scheme'],
    [custom({ headers: { A: '{a}\n' } }), 'auth.headers.A: must match pattern'],
    [custom({ path: 'bot{a}' }), 'auth.path: must match pattern'],
    [custom({ path: '/bot{a}/' }), 'auth.path: must not contain an empty, . or .. segment'],
    [custom({ path: '/../{a}' }), 'auth.path: must not contain an empty, . or .. segment'],
    [custom({ path: '//evil.example/{a}' }), 'auth.path: must not contain an empty, . or .. segment'],
    [custom({ path: '/{a}?x' }), 'auth.path: must not contain spaces'],
    [{ type: 'basic', username: '{username}', password: '' }, 'auth: needs fields too'],
    [basic({ password: undefined }), 'auth: needs password too'],
    [basic({ username: 'x', password: 'y' }), 'auth.fields.a: is not used by this scheme'],
    [basic({ username: 'a:{a}' }), 'auth.username: must not contain a colon'],
    [basic({ username: '{b}{a}' }), 'auth.username: {b} is not a field of this scheme'],
    [{ ...oauth, settings: { shop: {} } }, 'auth.settings.shop: must NOT have fewer than 1'],
    [{ ...oauth, settings: { shop: { callback: 'a', token: '/a' } } }, 'auth.settings.shop: must NOT have more than 1'],
    [{ ...oauth, settings: { realm: { callback: 'a' } } }, 'auth.settings.realm: is not in account_settings'],
    [
      { ...oauth, token_url: 'https://{account.shop}/token' },
      'auth.token_url: a host that contains a setting must end with a fixed domain',
    ],
    [{ ...oauth, token_url: 'https://a@b.example/token' }, 'auth.token_url: must be https:// with a host'],
    [{ ...oauth, token_url: 'https://b.example/token?x=1' }, 'auth.token_url: must not contain'],
    [{ ...oauth, revocation_url: 'https://{account.x}.b.example' }, 'auth.revocation_url: {account.x} is neither'],
    [{ ...oauth, token_parameters: { a: '{account.x}' } }, 'auth.token_parameters.a: {account.x} is neither'],
    [{ ...oauth, authorization_parameters: { a: '{code}' } }, 'auth.authorization_parameters.a: {code} is neither'],
    [{ ...oauth, client_help: { ...help, url: 'http://a.example' } }, 'auth.client_help.url: must match pattern'],
    [{ ...oauth, client_help: { ...help, steps: ['Ask them.'] } }, 'auth.client_help.steps: must NOT have fewer than 2 items'],
    [{ ...oauth, client_help: { ...help, review: '' } }, 'auth.client_help.review: must NOT have fewer than 1 characters'],
    [{ ...oauth, client_help: { ...help, source: undefined } }, 'auth.client_help: needs a source'],
    [{ type: 'oauth2_client_credentials', ...endpoint, client_help: help }, 'auth.client_help: is not a key of this format'],
    [{ type: 'oauth2_jwt_bearer', ...endpoint, audience: '{account.x}' }, 'auth.audience: {account.x} is neither'],
    [{ type: 'oauth2_jwt_bearer', ...endpoint, algorithm: 'HS256' }, 'auth.algorithm: must be one of RS256, ES256'],
    [{ type: 'oauth2_client_credentials', ...endpoint, pkce: true }, 'auth.pkce: is not a key of this format'],
  ])('are reported for %j: %s', (auth, expected) => {
    const [first, ...more] = problemsOf(sampleText({ ...shop, auth }))
    expect(first).toContain(expected)
    expect(more).toEqual([])
  })

  it.each([
    ['https://{account.shop}.example.com/authorize', {}, 'auth.authorization_url: {account.shop} is neither'],
    ['https://auth.example.com', { authorization_parameters: { shop: '{account.shop}' } }, 'authorization_parameters.shop: {account.shop}'],
  ])('report a setting of the callback that is used before it: %s %j', (authorization_url, more, expected) => {
    const auth = { ...oauth, ...more, authorization_url, settings: { shop: { callback: 'shop' } } }
    expect(problemsOf(sampleText({ ...shop, auth })).join()).toContain(expected)
  })

  it('report a setting of the token response that the token request uses', () => {
    const auth = { ...oauth, token_url: 'https://{account.shop}.example.com/token', settings: { shop: { token: '/shop' } } }
    expect(problemsOf(sampleText({ ...shop, auth })).join()).toContain('auth.token_url: {account.shop} is neither')
    const callback = { ...auth, settings: { shop: { callback: 'shop' } } }
    expect(problemsOf(sampleText({ ...shop, auth: callback }))).toEqual([])
  })

  it.each([
    [{ account_settings: { access_token: field } }, 'account_settings.access_token: is the name of a field of auth'],
    [{ ...shop, base_url: '{account.shop}' }, 'account_settings.shop: is a whole URL in base_url'],
    [{ headers: { authorization: 'x' } }, 'headers.authorization: is set by auth'],
  ])('report conflicts with the app: %j', (app, expected) => {
    const auth = { ...oauth, token_url: 'base_url' in app ? 'https://{account.shop}.example.com/token' : oauth.token_url }
    expect(problemsOf(sampleText({ ...app, auth })).join()).toContain(expected)
  })

  it('allow OAuth schemes to share the token fields', () => {
    const minting = ['oauth2_client_credentials', 'oauth2_jwt_bearer'].map((type) => ({ type, ...endpoint }))
    expect(problemsOf(sampleText({ auth: [oauth, ...minting] }))).toEqual([])
  })

  it.each([
    [{ query: { key: 'x' } }, 'request.query.key: is set by auth'],
    [{ query: { sig: 'x' } }, 'request.query.sig: is set by auth'],
    [{ headers: { 'x-A': 'x' } }, 'request.headers.x-A: is set by auth'],
    [{ headers: { Authorization: 'x' } }, 'request.headers.Authorization: is set by auth'],
  ])('report a request that sets what a scheme sets: %j', (more, expected) => {
    const keyed = { type: 'api_key', in: 'query', name: 'key' }
    const auth = [keyed, custom({ headers: { 'X-a': '{a}' }, query: { sig: '{a}' } }), { type: 'basic' }]
    expect(problemsOf(sampleText({ auth }, { request: { method: 'GET', path: '/run', ...more } })).join()).toContain(expected)
  })
})
