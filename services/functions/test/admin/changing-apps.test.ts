import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { readConfig, startFunctions } from '../../src/index.ts'
import { openFunctions, TEST_BUILT_IN, useFunctions } from '../support/support.ts'

const onward = useFunctions()

const petsApp = (name: string, path = '/pets') => ({
  name,
  title: 'Pets',
  description: 'The pets of a shop.',
  base_url: '{account.url}',
  auth: { type: 'none' },
  account_settings: { url: { title: 'URL', description: 'The address of the shop.' } },
  functions: {
    'list-pets': { title: 'List pets', description: 'Lists the pets of the shop.', type: 'QUERY', request: { method: 'GET', path } },
  },
})

const put = (name: string, file: object = petsApp(name)) => onward.admin('put', `/admin/apps/${name}`, { file })

describe('an imported app', () => {
  it('can be called at once and is found by predict', async () => {
    const { body } = await put('pets').expect(200)
    expect(body).toEqual({ name: 'pets', version: expect.stringMatching(/^[0-9a-f]{12}$/), functions: 2, quarantined: [] })
    const joe = onward.user('joe')
    await joe.connect('pets' as never)
    onward.third.respond((_received, response) => sendJson(response, 200, ['Rex']))
    const { body: called } = await joe.call('pets-list-pets').expect(200)
    expect(called).toEqual({ network_code: 200, output: ['Rex'] })
    const { body: predicted } = await joe.post('/functions/predict', { prompt: 'list the pets of the shop' }).expect(200)
    expect(predicted.functions[0].name).toBe('pets-list-pets')
  })

  it.each([
    // JavaScript's own engine takes minutes for the first pattern, and seconds for the second one.
    ['^(a+)+$', `${'a'.repeat(35)}!`, 'a'],
    ['a{0,30}a{0,30}b', 'a'.repeat(200_000), 'aab'],
    ['^[a-z]+(-[a-z]+)*$', 'A', 'a-b'],
    ['^\\p{L}{2}$', 'a1', 'é\u{20000}'],
  ])('checks texts with the pattern %s', async (pattern, wrong, right) => {
    const file = petsApp('kennel', '/pets/{kind}')
    const parameters = {
      required: ['kind'],
      properties: { kind: { type: 'string', pattern, description: 'The kind of pets.' } },
    }
    const functions = { 'list-pets': { ...file.functions['list-pets'], parameters } }
    expect((await put('kennel', { ...file, functions }).expect(200)).body.quarantined).toEqual([])
    const joe = onward.user('joe')
    await joe.connect('kennel' as never)
    onward.third.respond((_received, response) => sendJson(response, 200, []))
    const refused = await joe.call('kennel-list-pets', { kind: wrong }).expect(400)
    expect(refused.body.error_details).toEqual([`kind: must match pattern "${pattern}"`])
    await joe.call('kennel-list-pets', { kind: right }).expect(200)
  })

  it('can be replaced, read, listed and deleted', async () => {
    await put('zoo').expect(200)
    const joe = onward.user('joe')
    const { body: before } = await joe.post('/functions/zoo-list-pets/get?include=meta').expect(200)
    await put('zoo', petsApp('zoo', '/animals')).expect(200)
    const { body: after } = await joe.post('/functions/zoo-list-pets/get?include=meta').expect(200)
    expect(after.meta.version).not.toBe(before.meta.version)
    const { body: read } = await onward.admin('get', '/admin/apps/zoo').expect(200)
    expect(read.file).toEqual(petsApp('zoo', '/animals'))
    const { body: list } = await onward.admin('get', '/admin/apps').expect(200)
    const modified_at = expect.stringMatching(/Z$/)
    expect(list.apps).toContainEqual({ name: 'zoo', title: 'Pets', functions: 2, modified_at })
    await onward.admin('delete', '/admin/apps/zoo').expect(200, { success: true })
    await joe.post('/functions/zoo-list-pets/get').expect(404)
    await onward.admin('delete', '/admin/apps/zoo').expect(404)
    await onward.admin('get', '/admin/apps/zoo').expect(404)
  })

  it('appears in other processes and disappears from them when deleted', async () => {
    const other = await startFunctions(readConfig({ ...onward.environment }, TEST_BUILT_IN))
    try {
      await put('farm').expect(200)
      const headers = onward.user('joe').headers
      await eventually(async () => {
        const response = await fetch(`${other.url}/functions/farm-list-pets/get`, { method: 'POST', headers })
        expect(response.status).toBe(200)
      })
      await onward.admin('delete', '/admin/apps/farm').expect(200)
      await eventually(async () => {
        const response = await fetch(`${other.url}/functions/farm-list-pets/get`, { method: 'POST', headers })
        expect(response.status).toBe(404)
      })
    } finally {
      await other.close()
    }
  })

  it('requires accounts to reconnect when a new version sends requests to other hosts', async () => {
    await put('shed').expect(200)
    const joe = onward.user('mover')
    await joe.connect('shed' as never)
    await onward.admin('put', '/admin/applications/app-1/oauth-clients/shed', { client_id: 'c', client_secret: 's' })
    await put('shed', petsApp('shed', '/tools')).expect(200)
    await joe.call('shed-list-pets').expect(200)
    await put('shed', { ...petsApp('shed', '/tools'), hosts: ['files.example.com'] }).expect(200)
    const { body } = await joe.call('shed-list-pets').expect(400)
    expect(body.code).toBe('account_reconnect_required')
    const { body: shown } = await joe.post('/apps/shed/get').expect(200)
    expect(shown.connected_accounts[0].last_error).toBe('The app was imported again with other addresses')
  })

  it('is refused when one of its functions has the name of an existing one', async () => {
    const named = (name: string, phrase: string) => ({ ...petsApp(name), functions: { [phrase]: petsApp(name).functions['list-pets'] } })
    await put('acme-mail', named('acme-mail', 'send')).expect(200)
    const { body } = await put('acme', named('acme', 'mail-send')).expect(400)
    expect(body.error_details).toEqual(['two functions are named acme-mail-send'])
    await onward.user('joe').post('/functions/acme-mail-send/get').expect(200)
  })

  it('is left out when a newer version of Onward brings an app with one of its names', async () => {
    const named = (name: string, phrase: string) => ({ ...petsApp(name), functions: { [phrase]: petsApp(name).functions['list-pets'] } })
    const file = JSON.stringify(named('bazaar-mail', 'send'))
    await put('bazaar', named('bazaar', 'mail-send')).expect(200)
    await put('bazaar-post', named('bazaar-post', 'send')).expect(200)
    await sql`insert into imported_app (name, version, file) values ('bazaar-mail', '1', ${file})`.execute(onward.db)
    const { body: apps } = await onward.admin('get', '/admin/apps').expect(200)
    expect(apps.apps).toContainEqual(expect.objectContaining({ name: 'bazaar-mail', functions: 0 }))
    const { body } = await onward.admin('get', '/admin/quarantined-functions').expect(200)
    expect(body.quarantined).toContainEqual({ app: 'bazaar-mail', function: null, problems: ['two functions are named bazaar-mail-send'] })
    await onward.user('joe').post('/functions/bazaar-post-send/get').expect(200)
    await onward.admin('delete', '/admin/apps/bazaar-mail').expect(200)
  })

  it.each<[string, string, object, number, string]>([
    ['the name of a built-in app', 'desk', petsApp('desk'), 409, 'app_is_built_in'],
    ['a name that differs from the path', 'ark', petsApp('boat'), 400, 'invalid_parameters'],
    ['a key that the format does not have', 'ark', { ...petsApp('ark'), colour: 'red' }, 400, 'invalid_parameters'],
    ['a path with a tag that is not a parameter', 'ark', petsApp('ark', '/{species}'), 400, 'invalid_parameters'],
  ])('is refused when it has %s', async (_what, name, file, status, code) => {
    const { body } = await put(name, file).expect(status)
    expect(body.code).toBe(code)
    await onward.admin('get', `/admin/apps/${name}`).expect(404)
  })
})

const kioskAt = (path: string) => `
name: kiosk
title: Kiosk
description: The papers of a kiosk.
base_url: https://kiosk.example
auth: { type: none }
functions:
  list-papers:
    title: List papers
    description: Lists the papers.
    type: QUERY
    request: { method: GET, path: ${path} }
`

describe('the app files', () => {
  it('are reloaded when they change, and keep their last valid state while a file is broken', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'onward-apps-'))
    const file = join(folder, 'kiosk.yaml')
    const otherFile = join(folder, 'stall.yaml')
    await writeFile(file, kioskAt('/papers'))
    const watching = await openFunctions({ env: { APPS_PATH: folder, WATCH_APPS: 'true' } })
    try {
      const joe = watching.user('joe')
      const version = async (app = 'kiosk') =>
        (await joe.post(`/functions/${app}-list-papers/get?include=meta`).expect(200)).body.meta.version
      const first = await version()
      await writeFile(file, 'name: [')
      await writeFile(otherFile, kioskAt('/papers').replaceAll('kiosk', 'stall'))
      await writeFile(file, kioskAt('/journals'))
      await eventually(async () => {
        expect(await version()).not.toBe(first)
        await joe.post('/functions/stall-list-papers/get').expect(200)
      })
      const [second, other] = [await version(), await version('stall')]
      await writeFile(file, 'name: [')
      await writeFile(otherFile, kioskAt('/journals').replaceAll('kiosk', 'stall'))
      // A reload reads all files, so a reload that changes the stall has also read the broken kiosk.
      await eventually(async () => expect(await version('stall')).not.toBe(other))
      expect(await version()).toBe(second)
    } finally {
      await watching.close()
      await rm(folder, { recursive: true })
    }
  })
})
