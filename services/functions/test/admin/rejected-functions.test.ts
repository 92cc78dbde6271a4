import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { type Functions, openFunctions } from '../support/support.ts'

const list = (more: object = {}) => ({
  title: 'List',
  description: 'Lists.',
  type: 'QUERY',
  request: { method: 'GET', path: '/x' },
  ...more,
})
const fileOf = (name: string, functions: object) => ({
  name,
  title: 'Sample',
  description: 'A sample.',
  base_url: 'https://api.example.com',
  auth: { type: 'none' },
  functions,
})

const parameters = { properties: { board: { type: 'string', description: 'A board.' } } }
const user = list({
  title: 'Use',
  parameters,
  request: { method: 'GET', path: '/x', query: { board: '{board}' } },
  sources: { board: { function: 'bad', value: '/id', label: '/id' } },
})
const functions = { good: list(), bad: list({ title: 'Bad', description: 'a'.repeat(2000) }), user }

let folder: string
let onward: Functions

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-apps-'))
  await writeFile(join(folder, 'half.yaml'), JSON.stringify(fileOf('half', functions)))
  await writeFile(join(folder, 'broken.yaml'), 'name: [')
  const logs = { LOG_LEVEL: 'warn', LOG_FILE: join(folder, 'functions.log') }
  onward = await openFunctions({ env: { APPS_PATH: folder, ...logs } })
})
afterAll(() => rm(folder, { recursive: true }))

const rejected = [
  { app: 'broken', function: null, problems: [expect.stringContaining('broken.yaml:1: ')] },
  {
    app: 'half',
    function: 'half-bad',
    problems: [expect.stringMatching(/half\.yaml:\d+: functions\.bad: description must have at most 1024/)],
  },
]

describe('a service with a broken app and a broken function', () => {
  it('starts and serves everything else', async () => {
    const joe = onward.user('joe')
    const { body } = await joe.post('/functions/list?app=half').expect(200)
    expect(body.functions.map(({ name }: { name: string }) => name)).toEqual(['half-good', 'half-passthrough-request', 'half-user'])
    await joe.post('/functions/list?app=desk').expect(200)
    await joe.post('/functions/half-bad/get').expect(404)
    await joe.call('half-bad').expect(404)
  })

  it('serves a function whose source is broken without that source', async () => {
    const { body } = await onward.user('joe').post('/functions/half-user/get?include=meta').expect(200)
    const { description, meta } = body.parameters.properties.board
    expect([description, meta.ui.ui_field.type, meta.ui.ui_field.data_source]).toEqual(['A board.', 'TEXTFIELD', undefined])
  })

  it('lists the rejected functions with their problems to the operator only', async () => {
    const { body } = await onward.admin('get', '/admin/quarantined-functions').expect(200)
    expect(body.quarantined).toEqual(expect.arrayContaining(rejected))
    expect(body.quarantined).toHaveLength(2)
    await request(onward.internalUrl).get('/admin/quarantined-functions').expect(401)
  })

  it('counts the rejected functions in a metric', async () => {
    const { text } = await request(onward.internalUrl).get('/metrics').expect(200)
    expect(text).toMatch(/^onward_functions_quarantined\{service="functions"\} 2$/m)
  })

  it('logs one warning for each', async () => {
    const lines = (await readFile(join(folder, 'functions.log'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const warned = lines
      .filter(({ msg }) => msg === 'a function or app is left out of the catalog')
      .map((line) => [line.app, line.function, line.problems.length])
    expect(warned.sort()).toEqual([
      ['broken', null, 1],
      ['half', 'half-bad', 1],
    ])
  })
})

describe('importing an app', () => {
  it('leaves out a broken function and reports its problems', async () => {
    const { body } = await onward.admin('put', '/admin/apps/taken', { file: fileOf('taken', functions) }).expect(200)
    expect(body).toMatchObject({
      functions: 3,
      quarantined: [{ function: 'taken-bad', problems: [expect.stringContaining('at most 1024')] }],
    })
    await onward.user('joe').post('/functions/taken-good/get').expect(200)
    const { body: listed } = await onward.admin('get', '/admin/quarantined-functions').expect(200)
    expect(listed.quarantined.map((each: { function: string }) => each.function)).toContain('taken-bad')
    await onward.admin('delete', '/admin/apps/taken').expect(200)
    const { body: after } = await onward.admin('get', '/admin/quarantined-functions').expect(200)
    expect(after.quarantined).toHaveLength(2)
  })

  it('is refused when all functions are broken', async () => {
    await onward.admin('put', '/admin/apps/none', { file: fileOf('none', { bad: functions.bad }) }).expect(400)
  })
})
