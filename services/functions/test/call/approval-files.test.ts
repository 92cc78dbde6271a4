import { createHash } from 'node:crypto'
import type { PolicyRule } from '@onward/contract'
import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { signIn } from '../support/sign-in-support.ts'
import { type TestApp, type User, useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/kinds-apps' } })
const ASK: PolicyRule = { apps: ['bodies'], result: 'ask', message: 'Files cost money.' }
const PUT = 'bodies-put-file'

/** What the file server returns. */
const served = { path: '/a/report.pdf', type: 'application/pdf', bytes: 'page one' }
const CALM = { ...served }
let files: ScriptedServer
let users = 0

beforeAll(async () => {
  files = await openScriptedServer()
  files.respond(({ url }, response) => {
    if (url === served.path) response.writeHead(200, { 'content-type': served.type }).end(served.bytes)
    else response.writeHead(302, { location: served.path }).end()
  })
  await onward.admin('put', '/admin/applications/app-1/policy', { rules: [ASK] }).expect(200)
})
afterAll(() => files.close())
beforeEach(() => {
  Object.assign(served, CALM)
  files.received.length = 0
  onward.third.received.length = 0
  onward.third.respond((_received, response) => sendJson(response, 200, {}))
})

async function fileUser(): Promise<User> {
  const user = onward.user(`sender-${++users}`)
  await user.connect('bodies' as TestApp, { token: 'token-0123456789' })
  return user
}

const fileAt = (path = CALM.path) => ({ url: `${files.url}${path}` })
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Makes a call that asks, and approves it. Returns the approval. */
async function approve(user: User, name: string, args: object) {
  const { approval_id: id } = (await user.call(name, args).expect(403)).body
  return (await user.post(`/approvals/${id}/decide`, { result: 'approved' }).expect(200)).body
}

describe('the approval of a call with files', () => {
  it('shows what they contain, and the call sends just that', async () => {
    const user = await fileUser()
    const args = { file: fileAt(), more: [{ base64: Buffer.from('two').toString('base64'), name: 'b.txt' }, fileAt('/moved')] }
    const { files: shown } = await approve(user, 'bodies-upload', args)
    const report = { name: 'report.pdf', content_type: 'application/pdf', size: 8, sha256: sha256('page one') }
    expect(shown).toEqual([
      { parameter: 'file', ...report },
      { parameter: 'more[0]', name: 'b.txt', content_type: 'application/octet-stream', size: 3, sha256: sha256('two') },
      { parameter: 'more[1]', ...report },
    ])
    files.received.length = 0
    await user.call('bodies-upload', args).expect(200)
    expect(onward.third.received[0]?.body).toContain('page one')
    // The bytes that were compared are the ones that are sent.
    expect(files.received.map(({ url }) => url)).toEqual([CALM.path, '/moved', CALM.path])
  })

  it('is on the page of the user with the name, the size and the digest of each file', async () => {
    const user = await fileUser()
    const { approval_url: url } = (await user.call(PUT, { path: '/x', file: fileAt() }).expect(403)).body
    const { text } = await (await signIn(user)).open(url)
    for (const part of ['report.pdf', '8 bytes', 'application/pdf', sha256('page one')]) expect(text).toContain(part)
  })

  const changes: readonly [string, Partial<typeof served>, string][] = [
    ['the URL returns other bytes', { bytes: 'page two' }, CALM.path],
    ['the URL returns another type', { type: 'text/html' }, CALM.path],
    ['the URL leads to a file with another name', { path: '/a/invoice.pdf' }, '/moved'],
  ]
  it.each(changes)('does not hold if %s', async (_what, change, path) => {
    const user = await fileUser()
    const args = { path: '/x', file: fileAt(path) }
    const { id } = await approve(user, PUT, args)
    Object.assign(served, change)
    const rows = await onward.rows()
    const { body } = await user.call(PUT, args).expect(403)
    expect([body.code, body.approval_id === id]).toEqual(['approval_required', false])
    expect(body.error).toContain('a file of this call of bodies-put-file has changed since the call was approved')
    expect([onward.third.received, await onward.rows()]).toEqual([[], rows])
    // What was approved can still be sent, and nothing else.
    Object.assign(served, CALM)
    await user.call(PUT, args).expect(200)
    expect(onward.third.received.map((sent) => sent.body)).toEqual(['page one'])
    expect((await user.call(PUT, args).expect(403)).body.error).toBe('Files cost money.')
  })

  it('is not asked for if a file cannot be loaded', async () => {
    const user = await fileUser()
    const { body } = await user.call(PUT, { path: '/x', file: { base64: '!' } }).expect(400)
    expect(body.code).toBe('invalid_parameters')
    expect((await user.post('/approvals/list').expect(200)).body.approvals).toEqual([])
  })
})
