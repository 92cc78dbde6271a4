import * as contract from '@onward/contract'
import { deviceOf } from '../src/pages/settings/device-name.ts'
import { diffOf } from '../src/pages/settings/diff.ts'
import { type Entry, timeOfId } from '../src/pages/settings/entry.ts'
import { actorName, outcomeOf, subjectOf } from '../src/pages/settings/entry-subject.ts'
import { ACTIONS } from '../src/pages/settings/words.ts'

describe('an entry of the audit log', () => {
  const actions = Object.values(contract as unknown as Record<string, Partial<contract.EndpointShape> | undefined>)
    .flatMap((each) => [each?.action, each?.reads])
    .filter((action) => typeof action === 'string')

  it('has a name for every action of the contract', () => {
    expect(actions.length).toBeGreaterThan(50)
    expect([...new Set(actions)].filter((action) => !Object.hasOwn(ACTIONS, action))).toEqual([])
  })

  it.each<[Partial<Entry>, string]>([
    [{ target: { workspace_id: 'w' }, after: { email: 'ann@example.com', role: 'viewer' } }, 'ann@example.com'],
    [{ target: { workspace_id: 'w' }, after: { callback_url: 'https://a.example.com' } }, 'https://a.example.com'],
    [{ target: { app_key: 'ak' }, after: { name: 'Shop' } }, 'Shop'],
    [{ target: { app_key: 'ak', app: 'slack' }, after: { client_id: 'c' } }, 'slack, Shop'],
    [{ target: { subscription_id: 'sub' }, after: null }, 'https://b.example.com'],
    [{ target: { workspace_id: 'w', person_id: 'p' }, before: { email: 'bo@example.com' }, after: null }, 'bo@example.com'],
    [{ target: { id: '019ac2f4-7b3d-7e21-8c54-2f9d0a6b1e77' } }, '019ac2f4…1e77'],
    [{ target: { workspace_id: 'w', path: '/admin/audit' } }, '/admin/audit'],
    [{ target: { workspace_id: 'w' }, after: { tasks_limit: 5 } }, 'The workspace'],
  ])('names what %j is about: %s', (part, subject) => {
    const names: Readonly<Record<string, string>> = { ak: 'Shop', sub: 'https://b.example.com' }
    expect(subjectOf({ before: null, after: null, ...part } as Entry, (key) => names[key] ?? key)).toBe(subject)
  })

  it('names the key, the user or the application that made a change', () => {
    const nameIn = (kind: string, name: string) =>
      actorName({ actor: { kind, id: 'id', name } } as Entry, (key) => (key === 'ak' ? 'Shop' : key))
    expect(nameIn('person', 'ann@example.com')).toBe('ann@example.com')
    expect(nameIn('api-key', 'Billing')).toBe('API key Billing')
    expect(nameIn('user', 'joe')).toBe('User joe')
    expect(nameIn('application', 'ak')).toBe('Application Shop')
    expect(nameIn('embed-session', 'joe')).toBe('Embedded page of joe')
    expect(nameIn('bootstrap', 'ADMIN_TOKEN')).toBe('Administrator token')
  })

  it('says that a call waits for an approval, and not that it was denied', () => {
    expect(outcomeOf({ outcome: 'denied', code: 'approval_required' })).toBe('asked')
    expect(outcomeOf({ outcome: 'denied', code: 'role_required' })).toBe('denied')
    expect(outcomeOf({ outcome: 'done', code: null })).toBe('done')
  })
})

describe('the time of an entry', () => {
  it('is in its id', () => {
    expect(timeOfId('019ac2f4-7b3d-7e21-8c54-2f9d0a6b1e77')).toEqual(new Date(0x019ac2f47b3d))
    expect(timeOfId('019ac2f4-7b3d-4e21-8c54-2f9d0a6b1e77')).toBeUndefined()
    expect(timeOfId('entry')).toBeUndefined()
  })
})

describe('the difference of two JSON values', () => {
  it('has a line for each value that is new, gone or the same', () => {
    const before = { name: 'Shop', origins: ['https://a.example.com'], limit: 5, gone: null }
    const after = { name: 'Shop', origins: ['https://b.example.com', 'https://c.example.com'], limit: 6, empty: [] }
    expect(diffOf(before, after).map(({ sign, path, value }) => `${sign}${path}=${value}`)).toEqual([
      ' name="Shop"',
      '-origins[0]="https://a.example.com"',
      '+origins[0]="https://b.example.com"',
      '+origins[1]="https://c.example.com"',
      '-limit=5',
      '+limit=6',
      '+empty=[]',
      '-gone=null',
    ])
  })

  it('has only one side if the other is missing', () => {
    expect(diffOf(null, { role: 'owner' })).toEqual([{ sign: '+', path: 'role', value: '"owner"' }])
    expect(diffOf({ role: 'owner' }, null)).toEqual([{ sign: '-', path: 'role', value: '"owner"' }])
    expect(diffOf(null, {})).toEqual([])
  })
})

describe('the name of a device', () => {
  it('is read from the User-Agent', () => {
    const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
    const edge = `${chrome} Edg/125.0.0.0`.replace('X11; Linux x86_64', 'Windows NT 10.0; Win64; x64')
    const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1'
    expect(deviceOf(chrome)).toEqual({ browser: 'Chrome 126', system: 'Linux' })
    expect(deviceOf(edge)).toEqual({ browser: 'Edge 125', system: 'Windows' })
    expect(deviceOf(safari)).toEqual({ browser: 'Safari 18', system: 'iPhone' })
    expect(deviceOf('curl/8.9')).toEqual({ browser: undefined, system: undefined })
  })
})
