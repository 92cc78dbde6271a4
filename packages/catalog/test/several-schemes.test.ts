import {
  type AuthorizationCodeScheme,
  basicToken,
  checkCredentials,
  connectFields,
  credentialFields,
  fillAccountText,
  fillAccountUrl,
  schemeOf,
} from '../src/index.ts'
import { sampleApp } from './sample-app.ts'

const field = { title: 'A field', description: 'A field.' }
const endpoint = { token_url: 'https://{account.shop}.example.com/token' }
const oauth = {
  type: 'oauth2',
  authorization_url: 'https://auth.example.com/authorize',
  ...endpoint,
  settings: { shop: { callback: 'shop' } },
}
const many = sampleApp({
  account_settings: { shop: { title: 'Shop', description: 'First part of the address.' } },
  auth: [
    oauth,
    { type: 'oauth2_client_credentials', ...endpoint },
    { type: 'oauth2_jwt_bearer', ...endpoint },
    { type: 'basic', fields: { email: { ...field, secret: false }, api_token: field }, username: '{email}/token', password: '{api_token}' },
    { type: 'custom', fields: { one: field, two: field }, headers: { One: '{one}', Two: '{two}' } },
  ],
})
const pem = '-----BEGIN PRIVATE KEY-----\nMIIE\r\n-----END PRIVATE KEY-----\n'

describe('an app with several schemes', () => {
  it('asks for the fields of the chosen scheme and the settings that the OAuth flow does not supply', () => {
    const names = many.schemes.map((scheme) => connectFields(many, scheme).map(({ name, required }) => (required ? name : `${name}?`)))
    expect(names).toEqual([
      [],
      ['client_id', 'client_secret', 'shop'],
      ['issuer', 'private_key', 'subject?', 'shop'],
      ['email', 'api_token'],
      ['one', 'two'],
    ])
  })

  it('lists the fields of all schemes once', () => {
    expect(credentialFields(many).map(({ name, secret }) => (secret ? name.toUpperCase() : name))).toEqual([
      'ACCESS_TOKEN',
      'REFRESH_TOKEN',
      'expires_at',
      'client_id',
      'CLIENT_SECRET',
      'issuer',
      'PRIVATE_KEY',
      'subject',
      'email',
      'API_TOKEN',
      'ONE',
      'TWO',
      'shop',
    ])
    expect(credentialFields(many).find(({ name }) => name === 'private_key')?.kind).toBe('lines')
    expect(many.accountSettings[0]?.kind).toBe('host_part')
  })

  it.each<[Record<string, string>, string | undefined]>([
    [{ access_token: 'a' }, 'oauth2'],
    [{ client_id: 'a', client_secret: 'b' }, 'oauth2_client_credentials'],
    [{ client_id: 'a', client_secret: 'b', access_token: 'c' }, 'oauth2_client_credentials'],
    [{ issuer: 'a', private_key: 'b', access_token: 'c' }, 'oauth2_jwt_bearer'],
    [{ email: 'a', api_token: 'b' }, 'basic'],
    [{ one: 'a', two: 'b' }, 'custom'],
    [{ email: 'a', two: 'b' }, undefined],
    [{}, undefined],
  ])('recognises the account %j as %s', (credentials, type) => {
    expect(schemeOf(many, credentials)?.type).toBe(type)
  })

  it.each<[Record<string, unknown>, string[]]>([
    [{ access_token: 'a' }, []],
    [{ access_token: 'a', refresh_token: 'r', expires_at: '2030-01-01T00:00:00Z' }, []],
    [{ access_token: 'a', expires_at: 'tomorrow' }, ['expires_at: must be an ISO date-time with its zone']],
    [{ access_token: 'a', expires_at: '2030-13-01T00:00:00Z' }, ['expires_at: must be an ISO date-time with its zone']],
    [{ access_token: 'a', refresh_token: '' }, ['refresh_token: must not be empty']],
    [{ client_id: 'a', client_secret: 'ä日' }, []],
    [{ client_id: 'a' }, ['client_secret: is missing']],
    [{ issuer: 'a', private_key: pem }, []],
    [{ issuer: 'a', private_key: `${pem}\u0000` }, ['private_key: must not contain line breaks or other control characters']],
    [{ issuer: 'a\nb', private_key: pem }, ['issuer: must not contain line breaks or other control characters']],
    [{ email: 'a@b.c', api_token: 't', one: 'x' }, ['one: belongs to another scheme']],
    [{ api_token: 't' }, ['email: is missing']],
    [{ two: 't' }, ['one: is missing']],
    [{}, ['access_token: is missing']],
    [{ colour: 'red' }, ['access_token: is missing', 'colour: is not a field of sample accounts']],
  ])('reports for %j beside its setting: %j', (credentials, expected) => {
    expect(checkCredentials(many, { ...credentials, shop: 'acme' })).toEqual(expected)
  })

  it('requires every setting when a whole account is stored', () => {
    expect(checkCredentials(many, { access_token: 'a' })).toEqual(['shop: is missing'])
  })

  it('returns the base64 value of basic authentication', () => {
    expect(basicToken(many, { email: 'a', api_token: 'b' })).toBe(Buffer.from('a/token:b').toString('base64'))
    expect(basicToken(many, { one: 'a', two: 'b' })).toBeUndefined()
  })
})

describe('fillAccountUrl', () => {
  const { token_url } = many.schemes[0] as AuthorizationCodeScheme

  it('fills settings into host and path', () => {
    expect(fillAccountUrl(token_url, { shop: 'acme' })).toBe('https://acme.example.com/token')
    expect(fillAccountUrl('https://a.example.com/{account.realm}/token/', { realm: 'a/b' })).toBe('https://a.example.com/a%2Fb/token/')
    expect(fillAccountUrl('https://a.example.com', {})).toBe('https://a.example.com')
  })

  it.each(['evil.example/', 'evil.example#', 'a@evil', 'evil.example:8443', '', 'a.b'])('throws for the host part %j', (shop) => {
    expect(() => fillAccountUrl(token_url, { shop })).toThrow('shop: must be one part of a host name')
  })

  it('throws without showing a value when a setting is missing', () => {
    expect(() => fillAccountUrl(token_url, { token: 'secret' })).toThrow('{account.shop} is neither')
    expect(() => fillAccountUrl('https://a.example.com/{account.realm}', { realm: '..' })).toThrow(
      'account.realm: must not be empty, "." or ".."',
    )
  })
})

describe('fillAccountText', () => {
  it('fills settings in and leaves other braces unchanged', () => {
    expect(fillAccountText('https://{account.shop}/{x}', { shop: 'a$&b' })).toBe('https://a$&b/{x}')
    expect(() => fillAccountText('{account.constructor}', {})).toThrow('constructor: is missing')
    expect(() => fillAccountText('{account.shop}', {})).toThrow('shop: is missing')
  })
})
