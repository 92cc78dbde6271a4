import { checkCredentials, credentialFields } from '../src/index.ts'
import { sampleApp } from './sample-app.ts'

const account_settings = {
  url: { title: 'Server', description: 'Where it runs.' },
  team: { title: 'Team', description: 'The team.', pattern: '^T[0-9]+$' },
}
const app = sampleApp({ account_settings, base_url: '{account.url}' })
const good = { api_key: 'k', url: 'https://own.example', team: 'T1' }

describe('credentialFields', () => {
  it.each([
    [{ type: 'none' }, []],
    [{ type: 'bearer' }, ['token']],
    [{ type: 'basic' }, ['username', 'password']],
    [{ type: 'api_key', in: 'query', name: 'key' }, ['api_key']],
  ])('returns for %j the fields %j', (auth, names) => {
    const fields = credentialFields(sampleApp({ auth }))
    expect(fields.map((field) => field.name)).toEqual(names)
    expect(fields.every((field) => field.secret)).toBe(true)
  })

  it('marks secrets, settings, and the setting that is a whole URL', () => {
    expect(credentialFields(app).map(({ name, secret, kind }) => [name, secret, kind])).toEqual([
      ['api_key', true, 'text'],
      ['url', false, 'url'],
      ['team', false, 'text'],
    ])
  })
})

describe('checkCredentials', () => {
  it('accepts complete credentials', () => {
    expect(checkCredentials(app, good)).toEqual([])
  })

  it.each<[unknown, string[]]>([
    [null, ['credentials: must be an object']],
    ['k', ['credentials: must be an object']],
    [[], ['credentials: must be an object']],
    [{ url: good.url, team: 'T1' }, ['api_key: is missing']],
    [Object.create(good), ['api_key: is missing', 'url: is missing', 'team: is missing']],
    [{ ...good, api_key: 5 }, ['api_key: must be text']],
    [{ ...good, api_key: '' }, ['api_key: must not be empty']],
    [{ ...good, api_key: 'a\nb' }, ['api_key: must not contain line breaks or other control characters']],
    [{ ...good, api_key: 'a\u0000' }, ['api_key: must not contain line breaks or other control characters']],
    [{ ...good, api_key: '日本' }, ['api_key: has characters that a header cannot carry']],
    [{ ...good, team: 'X1' }, ['team: must match ^T[0-9]+$']],
    [{ ...good, url: 'own.example' }, ['url: must be an http or https URL without user name, query or fragment']],
    [{ ...good, colour: 'red' }, ['colour: is not a field of sample accounts']],
    [
      JSON.parse('{"__proto__": "x", "api_key": "k", "url": "http://a.example", "team": "T2"}'),
      ['__proto__: is not a field of sample accounts'],
    ],
  ])('reports for %j: %j', (credentials, expected) => {
    expect(checkCredentials(app, credentials)).toEqual(expected)
  })

  it.each([
    ['acme', true],
    ['acme-2', true],
    ['-acme', false],
    ['acme.evil', false],
    ['xn--a', false],
    ['XN--A', false],
    ['xn--bcher-kva', true],
    ['acme/x', false],
    ['a'.repeat(64), false],
  ])('accepts %s as a part of the host: %s', (sub, fits) => {
    const settings = { sub: { title: 'Site', description: 'The site.' } }
    const site = sampleApp({ account_settings: settings, base_url: 'https://{account.sub}.example.com' })
    expect(checkCredentials(site, { api_key: 'k', sub }).length === 0).toBe(fits)
  })

  it('accepts basic credentials in any script and without a password, but no colon in the name', () => {
    const basic = sampleApp({ auth: { type: 'basic' } })
    expect(checkCredentials(basic, { username: '日本', password: '' })).toEqual([])
    expect(checkCredentials(basic, { username: 'a:b', password: 'c' })).toEqual(['username: must not contain a colon'])
  })
})
