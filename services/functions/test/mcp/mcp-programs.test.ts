import request from 'supertest'
import { headingOf, openBrowser } from '../support/connecting.ts'
import { createToken } from '../support/mcp-support.ts'
import { listTools, obtainTokens } from '../support/sign-in-support.ts'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
const narrow = ({ headers }: User, id: string, body: object) => request(onward.url).patch(`/mcp/tokens/${id}`).set(headers).send(body)
const tokensOf = async (user: User) => (await user.post('/mcp/tokens/list').expect(200)).body.tokens

/** Opens the page of the programs of a user. */
async function openPrograms(user: User) {
  const { body } = await user.post('/connect/session', { manage: true }).expect(200)
  const browser = openBrowser()
  const accounts = await browser.open(body.url)
  const [, url = ''] = /href="([^"]+\/programs)"/.exec(accounts.text) ?? []
  const page = await browser.open(url)
  return { browser, url, page }
}

describe('PATCH /mcp/tokens/:id', () => {
  it('allows less from the next request on', async () => {
    const user = onward.newUser()
    const { id } = await createToken(user, { mode: 'search', apps: ['desk', 'notes'] })
    const { body } = await narrow(user, id, { apps: ['Desk'], read_only: true }).expect(200)
    expect(body).toMatchObject({ id, apps: ['desk'], functions: null, read_only: true })
    const less = await narrow(user, id, { functions: ['desk-list-labels'] }).expect(200)
    expect(less.body).toMatchObject({ apps: ['desk'], functions: ['desk-list-labels'], read_only: true })
    expect(await tokensOf(user)).toEqual([less.body])
  })

  it.each<[object, string]>([
    [{ apps: ['desk', 'crm'] }, 'apps[1]: the token does not allow it'],
    [{ functions: ['desk-create-ticket'] }, 'functions[0]: the token does not allow it'],
    [{ read_only: false }, 'read_only: cannot be turned off'],
  ])('refuses to allow more: %j', async (body, problem) => {
    const user = onward.newUser()
    const { id } = await createToken(user, { mode: 'search', apps: ['desk'], functions: ['desk-list-labels'], read_only: true })
    const refused = await narrow(user, id, body).expect(400)
    expect(refused.body.error_details).toEqual([problem])
  })

  it('does not find the token of another user, or an ended one', async () => {
    const user = onward.newUser()
    const { id } = await createToken(user)
    await narrow(onward.newUser(), id, { read_only: true }).expect(404)
    await narrow(user, 'nothing', { read_only: true }).expect(404)
    await onward.db
      .updateTable('mcp_token')
      .set({ expires_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    await narrow(user, id, { read_only: true }).expect(404)
  })
})

describe('the page of programs', () => {
  it('shows what each program may do, and narrows it', async () => {
    const user = onward.newUser()
    await user.connect('desk')
    await user.connect('notes')
    await obtainTokens(onward, user)
    const { browser, url, page } = await openPrograms(user)
    expect(headingOf(page)).toBe('Applications with access')
    expect(page.text).toContain('Uses all apps. Added from host.example.')
    const [{ id }] = await tokensOf(user)
    const form = await browser.open(`${url}/${id}`)
    expect(headingOf(form)).toBe('Access of Test host to app-1')
    expect((await browser.submit(form, { decision: 'narrow', which: 'some' })).text).toContain('Choose at least one app')
    const saved = await browser.submit(form, { decision: 'narrow', which: 'some', app: 'notes', read_only: 'true' })
    expect([saved.status, saved.headers.location]).toEqual([303, url])
    expect(await tokensOf(user)).toMatchObject([{ apps: ['notes'], read_only: true }])
    expect((await browser.open(url)).text).toContain('Only reads, in Notes.')
    // Another app cannot be added by a form that is changed.
    await browser.submit(form, { decision: 'narrow', which: 'some', app: ['desk', 'notes'] })
    expect(await tokensOf(user)).toMatchObject([{ apps: ['notes'], read_only: true }])
  })

  it('names the functions of a program, and its rules', async () => {
    const user = onward.newUser()
    await user.connect('desk')
    const decision = { which: 'some', app: 'desk', function: ['desk-list-labels', 'desk-create-ticket'], asks: 'true' }
    await obtainTokens(onward, user, { decision })
    const [{ id }] = await tokensOf(user)
    const functions = ['desk-create-ticket']
    const rules = [
      { functions, arguments: { properties: { priority: { minimum: 3 } } }, result: 'deny' },
      { apps: ['desk'], result: 'ask' },
      { result: 'allow' },
    ]
    await narrow(user, id, { rules }).expect(200)
    const { text } = (await openPrograms(user)).page
    expect(text).toContain('Uses Desk (2 functions).')
    const items = [...text.matchAll(/<p>([^<]*)<\/p>/g)].map(([, item]) => item)
    expect(items).toEqual([
      'Asks you before it creates or changes anything.',
      'May not call Desk: Create ticket (under conditions).',
      'Asks you before it calls Desk.',
      'Calls anything without asking.',
      'Desk: Create ticket, Desk: List labels',
    ])
  })

  it('ends the access of a program at once', async () => {
    const user = onward.newUser()
    const { tokens } = await obtainTokens(onward, user)
    const { browser, url } = await openPrograms(user)
    const [{ id }] = await tokensOf(user)
    const ended = await browser.submit(await browser.open(`${url}/${id}`), { decision: 'end' })
    expect(ended.status).toBe(303)
    expect((await listTools(`${onward.url}/mcp/app-1`, tokens.access_token)).status).toBe(401)
    expect((await browser.open(url)).text).toContain('No application has access.')
    expect((await browser.open(`${url}/${id}`)).status).toBe(404)
  })

  it('is not reached with the link of another user or of one app', async () => {
    const [user, other] = [onward.newUser(), onward.newUser()]
    await obtainTokens(onward, user)
    const [{ id }] = await tokensOf(user)
    const { browser, url } = await openPrograms(other)
    expect((await browser.open(`${url}/${id}`)).status).toBe(404)
    const { body } = await user.post('/connect/session', { manage: true, app: 'desk' }).expect(200)
    expect((await openBrowser().open(`${body.url}/programs`)).status).toBe(404)
  })
})
