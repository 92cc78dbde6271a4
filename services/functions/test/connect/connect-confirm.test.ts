import { eventually } from '@onward/testbed'
import request from 'supertest'
import { accountsOf, connectedId, headingOf, loginUrlOf, openBrowser, type Page, respondAsShelf, useShelf } from '../support/connecting.ts'

const { onward, shelf, openShelf } = useShelf()
const BACK = 'https://acme.example/done'

const put = (body: object) =>
  onward.admin('put', '/admin/applications/app-1', { workspace_id: 'workspace-1', name: 'app-1', ...body }).expect(200)
const confirmationOf = ({ text }: Page) => /confirmation: "([\w-]{43})"/.exec(text)?.[1] ?? 'none'
const listed = async (userId: string) => (await onward.user(userId).post('/apps/shelf/get').expect(200)).body.connected_accounts
const pending = (userId: string) => onward.db.selectFrom('pending_account').selectAll().where('user_id', '=', userId).execute()

describe('the connect pages', () => {
  it.each([
    ['joe@example.com', 'joe@example.com'],
    ['<b>joe</b>', '&lt;b&gt;joe&lt;/b&gt;'],
    ['joe\u202etxt', 'joe txt'],
    ['u'.repeat(100), `${'u'.repeat(60)}…`],
  ])('name the application and the user %j before and after the account is connected', async (userId, shown) => {
    const sentence = `the user <strong><bdi>${shown}</bdi></strong> of app-1.`
    const { browser, page } = await openShelf(userId)
    expect(page.text).toContain(`The account will belong to ${sentence} If this is not you, close this page.`)
    expect((await browser.submit(page, { ...shelf(), api_key: 'wrong-key-0123' })).text).toContain(`The account will belong to ${sentence}`)
    expect((await browser.submit(page, shelf())).text).toContain(
      `You connected <strong>ada@example.com</strong> to app-1, for the user <strong><bdi>${shown}</bdi></strong>.`,
    )
    const choice = await openBrowser().open(await loginUrlOf(onward.user(userId), 'vault'))
    expect(choice.text).toContain(`The account will belong to ${sentence}`)
  })
})

describe('an application that confirms accounts', () => {
  beforeAll(async () => void (await put({ confirm_accounts: true, allowed_redirects: [BACK] })))
  afterAll(async () => void (await put({ confirm_accounts: false, allowed_redirects: [], allowed_origins: [] })))

  /** Connects Shelf with a link of this user. Returns the last page, with the id and the confirmation that it sends. */
  async function connect(userId: string) {
    const browser = openBrowser()
    const url = `${await loginUrlOf(onward.user(userId), 'shelf')}?redirect_uri=${encodeURIComponent(BACK)}`
    const page = await browser.submit(await browser.open(url), shelf())
    return { page, id: connectedId(page), confirmation: confirmationOf(page) }
  }
  const confirm = (userId: string, id: number | string, confirmation: string) =>
    onward.user(userId).post(`/connected-accounts/${id}/confirm`, { confirmation })

  it('makes an account usable once it confirms it as the user of the link', async () => {
    const { page, id, confirmation } = await connect('careful')
    expect(headingOf(page)).toBe('app-1 must confirm this account')
    expect(page.text).toContain('will belong to the user <strong><bdi>careful</bdi></strong> of app-1 when app-1 has confirmed it.')
    expect(page.text).toContain(`${BACK}?authorization_id=${id}&amp;confirmation=${confirmation}`)
    expect(await listed('careful')).toEqual([])
    const refused = await onward.user('careful').call('shelf-list-books').expect(400)
    expect(refused.body.code).toBe('account_not_connected')
    await onward
      .user('careful')
      .call('shelf-list-books', { connected_account_id: String(id) })
      .expect(400)

    const { body } = await confirm('careful', id, confirmation).expect(200)
    expect(body).toMatchObject({ id, display_name: 'ada@example.com', status: 'active' })
    expect(await listed('careful')).toEqual([body])
    await onward.user('careful').call('shelf-list-books').expect(200)
    expect((await pending('careful'))[0]).toMatchObject({ account_id: String(id), sealed_credentials: null })
    expect((await confirm('careful', id, confirmation).expect(200)).body).toEqual(body)
  })

  it('cannot confirm the account as another user, or without what the browser received', async () => {
    const { id, confirmation } = await connect('attacker')
    const attempts: [string, number | string, string][] = [
      ['victim', id, confirmation],
      ['attacker', id, 'A'.repeat(43)],
      ['attacker', id, ''],
      ['attacker', id + 1, confirmation],
      ['attacker', `0${id}`, confirmation],
      ['attacker', '1e309', confirmation],
    ]
    for (const [userId, accountId, given] of attempts) {
      expect((await confirm(userId, accountId, given).expect(404)).body.code).toBe('connected_account_not_found')
    }
    await onward.user('attacker').post(`/connected-accounts/${id}/confirm`, {}).expect(400)
    expect((await accountsOf(onward)).filter(({ user_id }) => ['attacker', 'victim'].includes(user_id))).toEqual([])
  })

  it('updates the account that the user connected before only when it confirms', async () => {
    const first = await connect('again')
    await confirm('again', first.id, first.confirmation).expect(200)
    respondAsShelf(onward, { id: 7, email: 'countess@example.com' })
    const second = await connect('again')
    expect(second.id).not.toBe(first.id)
    expect((await listed('again'))[0].display_name).toBe('ada@example.com')
    const { body } = await confirm('again', second.id, second.confirmation).expect(200)
    expect([body.id, body.display_name]).toEqual([first.id, 'countess@example.com'])
    expect(await listed('again')).toHaveLength(1)
    await onward.user('again').call('shelf-list-books').expect(200)
  })

  it('does not find a confirmed account after the user disconnected it', async () => {
    const { id, confirmation } = await connect('leaver')
    await confirm('leaver', id, confirmation).expect(200)
    await request(onward.url).delete(`/connected-accounts/${id}`).set(onward.user('leaver').headers).expect(200)
    await confirm('leaver', id, confirmation).expect(404)
  })

  it('cannot confirm an account after a day, when it is deleted', async () => {
    const { id, confirmation } = await connect('late')
    const kept = await connect('late')
    await onward.db
      .updateTable('pending_account')
      .set({ created_at: new Date(Date.now() - 24 * 3_600_000 - 1_000) })
      .where('id', '=', String(id))
      .execute()
    await confirm('late', id, confirmation).expect(404)
    await eventually(async () => expect((await pending('late')).map((row) => Number(row.id))).toEqual([kept.id]))
  })

  it('gets the confirmation at the first of its redirects, if the link leads back to no page of it', async () => {
    await put({ allowed_redirects: ['https://acme.example/confirm?x=1', BACK] })
    const { body } = await onward.user('nowhere').post('/connect/session', { manage: true }).expect(200)
    const ownPage = `?redirect_uri=${encodeURIComponent(new URL(body.url).pathname)}`
    for (const query of ['', ownPage]) {
      const browser = openBrowser()
      const page = await browser.submit(await browser.open((await loginUrlOf(onward.user('nowhere'), 'shelf')) + query), shelf())
      const confirmAt = `https://acme.example/confirm?x=1&authorization_id=${connectedId(page)}&confirmation=${confirmationOf(page)}`
      expect(page.text).toContain(`href="${confirmAt.replaceAll('&', '&amp;')}">Go back to app-1</a>`)
      expect(page.text).toContain(`: ${JSON.stringify(confirmAt)}\n`)
      await confirm('nowhere', connectedId(page), confirmationOf(page)).expect(200)
    }
    expect((await connect('nowhere')).page.text).not.toContain('https://acme.example/confirm')
    await put({ allowed_redirects: [BACK] })
  })

  it('leaves the user on the last page while it has no redirects', async () => {
    await put({ allowed_redirects: [] })
    const browser = openBrowser()
    const page = await browser.submit(await browser.open(await loginUrlOf(onward.user('lost'), 'shelf')), shelf())
    expect(page.text).toContain('If it does not within a day, the account is deleted.')
    expect(page.text).toContain('const next = false ? null : null')
    await put({ allowed_redirects: [BACK] })
  })

  it('receives the confirmation only in windows of its listed origins', async () => {
    expect((await connect('joe')).page.text).toContain('for (const origin of [])')
    await put({ allowed_origins: ['https://acme.example'] })
    expect((await connect('joe')).page.text).toContain('for (const origin of ["https://acme.example"])')
  })
})
