import { eventually, sendJson } from '@onward/testbed'
import { readConfig, startFunctions } from '../src/index.ts'
import { type Functions, openFunctions, TEST_BUILT_IN } from './support.ts'

let onward: Functions
beforeAll(async () => {
  onward = await openFunctions()
})

const fileOf = (name: string, path = '/pets') => ({
  name,
  title: 'Pets',
  description: 'Pets of a shop.',
  base_url: '{account.url}',
  auth: { type: 'none' },
  account_settings: { url: { title: 'URL', description: 'Where the shop is.' } },
  functions: {
    'list-pets': { title: 'List pets', description: 'Lists the pets of the shop.', type: 'QUERY', request: { method: 'GET', path } },
  },
})

const put = (name: string, file: object = fileOf(name)) => onward.admin('put', `/admin/apps/${name}`, { file })

describe('an imported app', () => {
  it('can be called at once', async () => {
    const { body } = await put('pets').expect(200)
    expect(body).toEqual({ name: 'pets', version: expect.stringMatching(/^[0-9a-f]{12}$/), functions: 2, quarantined: [] })
    const joe = onward.user('joe')
    await joe.connect('pets' as never)
    onward.third.answer((_received, response) => sendJson(response, 200, ['Rex']))
    const { body: called } = await joe.call('pets-list-pets').expect(200)
    expect(called).toEqual({ network_code: 200, output: ['Rex'] })
    const { body: predicted } = await joe.post('/functions/predict', { prompt: 'list the pets of the shop' }).expect(200)
    expect(predicted.functions[0].name).toBe('pets-list-pets')
  })

  it('can be replaced, read, listed and removed', async () => {
    await put('zoo').expect(200)
    const joe = onward.user('joe')
    const { body: before } = await joe.post('/functions/zoo-list-pets/get?include=meta').expect(200)
    await put('zoo', fileOf('zoo', '/animals')).expect(200)
    const { body: after } = await joe.post('/functions/zoo-list-pets/get?include=meta').expect(200)
    expect(after.meta.version).not.toBe(before.meta.version)
    const { body: read } = await onward.admin('get', '/admin/apps/zoo').expect(200)
    expect(read.file).toEqual(fileOf('zoo', '/animals'))
    const { body: list } = await onward.admin('get', '/admin/apps').expect(200)
    const modified_at = expect.stringMatching(/Z$/)
    expect(list.apps).toContainEqual({ name: 'zoo', title: 'Pets', functions: 2, modified_at })
    await onward.admin('delete', '/admin/apps/zoo').expect(200, { success: true })
    await joe.post('/functions/zoo-list-pets/get').expect(404)
    await onward.admin('delete', '/admin/apps/zoo').expect(404)
    await onward.admin('get', '/admin/apps/zoo').expect(404)
  })

  it('reaches the other processes, and is there after a restart', async () => {
    const other = await startFunctions(readConfig({ ...onward.environment }, TEST_BUILT_IN))
    try {
      await put('farm').expect(200)
      const headers = onward.user('joe').headers
      await eventually(async () => {
        const answer = await fetch(`${other.url}/functions/farm-list-pets/get`, { method: 'POST', headers })
        expect(answer.status).toBe(200)
      })
      await onward.admin('delete', '/admin/apps/farm').expect(200)
      await eventually(async () => {
        const answer = await fetch(`${other.url}/functions/farm-list-pets/get`, { method: 'POST', headers })
        expect(answer.status).toBe(404)
      })
    } finally {
      await other.close()
    }
  })

  it('does not take the credentials of its accounts along when its requests go elsewhere', async () => {
    await put('shed').expect(200)
    const joe = onward.user('mover')
    await joe.connect('shed' as never)
    await onward.admin('put', '/admin/applications/app-1/oauth-clients/shed', { client_id: 'c', client_secret: 's' })
    await put('shed', fileOf('shed', '/tools')).expect(200)
    await joe.call('shed-list-pets').expect(200)
    await put('shed', { ...fileOf('shed', '/tools'), hosts: ['files.example.com'] }).expect(200)
    const { body } = await joe.call('shed-list-pets').expect(400)
    expect(body.code).toBe('account_reconnect_required')
    const { body: shown } = await joe.post('/apps/shed/get').expect(200)
    expect(shown.connected_accounts[0].last_error).toBe('The app was imported anew, with other addresses')
  })

  it('never takes the place of a function that is there', async () => {
    const named = (name: string, phrase: string) => ({ ...fileOf(name), functions: { [phrase]: fileOf(name).functions['list-pets'] } })
    await put('acme-mail', named('acme-mail', 'send')).expect(200)
    const { body } = await put('acme', named('acme', 'mail-send')).expect(400)
    expect(body.error_details).toEqual(['two functions are named acme-mail-send'])
    await onward.user('joe').post('/functions/acme-mail-send/get').expect(200)
  })

  it.each<[string, string, object, number, string]>([
    ['the name of an app that came with Onward', 'desk', fileOf('desk'), 409, 'app_is_built_in'],
    ['another name than its path', 'ark', fileOf('boat'), 400, 'invalid_parameters'],
    ['a key that is not of the format', 'ark', { ...fileOf('ark'), colour: 'red' }, 400, 'invalid_parameters'],
    ['a path with a tag that is no parameter', 'ark', fileOf('ark', '/{species}'), 400, 'invalid_parameters'],
  ])('is refused with %s', async (_what, name, file, status, code) => {
    const { body } = await put(name, file).expect(status)
    expect(body.code).toBe(code)
    await onward.admin('get', `/admin/apps/${name}`).expect(404)
  })
})
