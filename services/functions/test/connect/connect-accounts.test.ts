import { sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { accountsOf, actionOf, connectedId, headingOf, openBrowser, useShelf } from '../support/connecting.ts'

const { onward, shelf } = useShelf()
const BACK = 'https://acme.example/settings'
const EXPIRED_OR_ELSEWHERE = [410, 'This link has expired or was used in another browser']

beforeAll(async () => {
  await onward
    .admin('put', '/admin/applications/app-1', { workspace_id: 'workspace-1', name: 'Acme', allowed_redirects: [BACK] })
    .expect(200)
})

const session = async (userId: string, body: object): Promise<{ url: string; expires_at: string }> =>
  (await onward.user(userId).post('/connect/session', body).expect(200)).body
const linksOf = ({ text }: { text: string }) =>
  new Map(
    [...text.matchAll(/<a [^>]*href="([^"]+)"[^>]*>(.*?)(?: <span|<\/a>)/g)].map(([, href = '', label = '']) => [
      label,
      href.replaceAll('&amp;', '&'),
    ]),
  )
const link = (page: { text: string }, label: string) => linksOf(page).get(label) ?? `no link ${label}`
const namesOf = async (userId: string) =>
  (await accountsOf(onward)).filter(({ user_id }) => user_id === userId).map(({ display_name }) => display_name)

/** Opens the page of accounts in a new browser. */
async function manage(userId: string, body: object = {}) {
  const browser = openBrowser()
  const { url } = await session(userId, { manage: true, ...body })
  return { browser, url, page: await browser.open(url) }
}

describe('POST /connect/session', () => {
  it.each<[object, number, string]>([
    [{}, 400, 'app: is missing; send manage: true for the page of all accounts, or pick: true for the page of all apps'],
    [{ app: 'clock' }, 400, 'app: needs no account'],
    [{ app: 'shelf', redirect_uri: 'https://evil.example/' }, 400, 'redirect_uri: is not one of the allowed redirects of the application'],
    [{ manage: true, redirect_uri: '' }, 400, 'redirect_uri: is not one of the allowed redirects of the application'],
    [{ manage: 'yes' }, 400, 'manage: must be true or false'],
    [{ manage: true, user_name: '' }, 400, 'user_name: must not be empty'],
  ])('refuses %j with %i', async (body, status, detail) => {
    const response = await onward.user('joe').post('/connect/session', body).expect(status)
    expect(response.body.error_details).toEqual([detail])
  })

  it('answers 404 for an unknown app, 401 without credentials, and accepts a slash at the end', async () => {
    expect((await onward.user('joe').post('/connect/session', { app: 'nope' }).expect(404)).body.code).toBe('app_not_found')
    await request(onward.url).post('/connect/session').expect(401)
    await onward.user('joe').post('/connect/session/', { app: 'SHELF' }).expect(200)
  })

  it('makes a link that leads the first browser to the page of the app, and on to the redirect_uri', async () => {
    const { url, expires_at } = await session('ada', { app: 'shelf', redirect_uri: BACK })
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(9 * 60_000)
    expect(url).toMatch(new RegExp(`^${onward.url}/connect/accounts/[\\w-]{43}$`))
    const browser = openBrowser()
    const opened = await browser.open(url)
    expect(opened.status).toBe(303)
    const page = await browser.open(String(opened.headers.location))
    expect(headingOf(page)).toBe('Connect Shelf & Sons to Acme')
    const end = await browser.submit(page, shelf())
    expect(end.text).toContain(`${BACK}?authorization_id=${connectedId(end)}`)
  })

  it('makes a link that works again in the same browser, but in no other', async () => {
    for (const body of [{ app: 'shelf' }, { manage: true }]) {
      const { url } = await session('ada', body)
      const browser = openBrowser()
      const { status } = await browser.open(url)
      expect([200, 303]).toContain(status)
      expect((await browser.open(url)).status).toBe(status)
      const other = await openBrowser().open(url)
      expect([other.status, headingOf(other)]).toEqual(EXPIRED_OR_ELSEWHERE)
      expect((await browser.open(url)).status).toBe(status)
    }
  })

  it('makes a link that expires, whether it was opened or not', async () => {
    const [unopened, opened] = [await session('ada', { manage: true }), await manage('ada')]
    await onward.db
      .updateTable('connect_link')
      .set({ expires_at: new Date(0) })
      .execute()
    for (const page of [await openBrowser().open(unopened.url), await opened.browser.open(opened.url)]) {
      expect([page.status, headingOf(page)]).toEqual(EXPIRED_OR_ELSEWHERE)
    }
    await session('ada', { manage: true })
    expect(await onward.db.selectFrom('connect_link').select('app_key').execute()).toHaveLength(1)
  })

  it('makes links that reveal nothing about the user, and stores no token', async () => {
    const { url } = await session('secret-user', { manage: true })
    const [, token = ''] = /accounts\/(.+)$/.exec(url) ?? []
    const rows = await onward.db.selectFrom('connect_link').selectAll().execute()
    expect(rows.some(({ user_id }) => user_id === 'secret-user')).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('secret-user')
  })
})

describe('the name of the user', () => {
  const shownName = ({ text }: { text: string }) => /the user <strong><bdi>(.*?)<\/bdi>/.exec(text)?.[1]

  it('is on all pages of the link instead of the User-ID, and in no log', async () => {
    const { browser, page } = await manage('6f1d0b0e', { app: 'shelf', user_name: 'Ada <ada@example.com>' })
    const form = await browser.open(link(page, 'Connect Shelf &amp; Sons'))
    const wrong = await browser.submit(form, {})
    const end = await browser.submit(wrong, shelf())
    expect([page, form, wrong, end].map(shownName)).toEqual(Array(4).fill('Ada &lt;ada@example.com&gt;'))
    const { body } = await onward
      .user('6f1d0b0e')
      .post('/connect/session', { app: 'shelf', user_name: 'Ada <ada@example.com>' })
      .expect(200)
    const opened = await browser.open(body.url)
    expect(shownName(await browser.open(String(opened.headers.location)))).toBe('Ada &lt;ada@example.com&gt;')
    const { rows: entries } = await sql<{ action: string }>`select * from audit_entry`.execute(onward.db)
    expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['connect-session.create', 'connected-account.connect']))
    expect(JSON.stringify(entries)).not.toContain('ada@example.com>')
    expect(shownName((await manage('6f1d0b0e')).page)).toBe('6f1d0b0e')
  })
})

describe('the page of accounts', () => {
  it("shows the user's own accounts with their states, of all apps or of one", async () => {
    const user = onward.user('viewer')
    await user.connect('desk')
    const broken = await user.connect('desk')
    await user.connect('crm')
    await onward.user('other-viewer').connect('phone')
    const state = { status: 'reconnect_required', last_error: '<b>gone</b>' } as const
    await onward.db.updateTable('connected_account').set(state).where('id', '=', String(broken)).execute()
    const { page } = await manage('viewer')
    expect([page.status, headingOf(page)]).toEqual([200, 'Your connected accounts'])
    expect(page.text.match(/<h2>.*?<\/h2>(<p>.*?<\/p>)?/g)).toEqual([
      '<h2>Crm</h2>',
      '<h2>Desk</h2>',
      '<h2>Desk</h2><p>used by default</p>',
    ])
    expect(page.text).toContain('This account must be connected again. <bdi>&lt;b&gt;gone&lt;/b&gt;</bdi>')
    expect(
      [...page.text.matchAll(/<a class="urgent" href="[^"]+">(\w+) <span class="hidden">(\w+)</g)].map(([, ...texts]) => texts),
    ).toEqual([['Reconnect', 'Desk']])
    expect(page.text).not.toMatch(/<b>|Phone/)
    expect(page.headers['content-security-policy']).toContain(`form-action 'self';`)
    const { page: one } = await manage('viewer', { app: 'crm', redirect_uri: BACK })
    expect(one.text.match(/<h2>/g)).toHaveLength(1)
    expect(link(one, 'Connect another account of Crm')).toContain(`redirect_uri=${encodeURIComponent(BACK)}`)
    expect(link(one, 'Back to Acme')).toBe(BACK)
    expect((await manage('nobody')).page.text).toContain('No account is connected.')
  })

  it('offers to connect again only accounts of apps that exist', async () => {
    const user = onward.user('remainer')
    await user.connect('desk')
    expect(linksOf((await manage('remainer')).page).has('Reconnect')).toBe(true)
    await onward.db.updateTable('connected_account').set({ app: 'gone' }).where('user_id', '=', 'remainer').execute()
    const { page } = await manage('remainer')
    expect([page.status, [...linksOf(page).keys()]]).toEqual([200, ['Rename', 'Disconnect', 'Connect an app', 'Applications with access']])
  })

  it('renames an account', async () => {
    await onward.user('renamer').connect('desk')
    const { browser, page, url } = await manage('renamer')
    const form = await browser.open(link(page, 'Rename'))
    expect(form.text).toContain('name="name" value="Desk"')
    const again = await browser.submit(form, { name: ' ' })
    expect([again.status, again.text.includes('Name must not be empty.')]).toEqual([400, true])
    const done = await browser.submit(again, { name: 'Work <3' })
    expect([done.status, done.headers.location]).toEqual([303, url])
    expect(await namesOf('renamer')).toEqual(['Work <3'])
    expect((await browser.open(url)).text).toContain('<h2>Desk</h2><p>Work &lt;3')
  })

  it('changes the default', async () => {
    const user = onward.user('chooser')
    const [, second] = [await user.connect('desk'), await user.connect('desk')]
    const { browser, page } = await manage('chooser')
    expect(actionOf(page)).toMatch(new RegExp(`/${second}/default$`))
    expect((await browser.submit(page)).status).toBe(303)
    const { body } = await user.post('/connected-accounts/list', {})
    expect(body.connected_accounts.map(({ is_default }: { is_default: boolean }) => is_default)).toEqual([true, false])
  })

  it('disconnects an account after the user has confirmed it', async () => {
    await onward.user('leaver').connect('desk')
    const { browser, page, url } = await manage('leaver')
    const question = await browser.open(link(page, 'Disconnect'))
    expect(headingOf(question)).toBe('Disconnect Desk?')
    expect(link(question, 'Cancel')).toBe(url)
    expect(await namesOf('leaver')).toEqual(['Desk'])
    expect((await browser.submit(question)).headers.location).toMatch(new RegExp(`^${url}\\?event=disconnected&account_id=\\d+$`))
    expect(await namesOf('leaver')).toEqual([])
  })

  it('returns after an account was connected again, or was not', async () => {
    onward.third.respond(({ headers }, response) =>
      sendJson(response, headers['x-shelf-key'] ? 200 : 401, { reader: { id: 7, email: 'ada@example.com' } }),
    )
    const { browser, page, url } = await manage('returner', { app: 'shelf' })
    const form = await browser.open(link(page, 'Connect Shelf &amp; Sons'))
    const end = await browser.submit(form, shelf())
    const back = `${new URL(url).pathname}?event=connected&app=shelf`
    expect(end.text).toContain(`location.replace(${JSON.stringify(back)})`)
    expect((await browser.open(new URL(back, url).href)).text).toContain('role="status">Shelf &amp; Sons is connected</p>')
    expect((await browser.open(`${url}?event=connected&app=unknown`)).text).not.toContain('role="status"')
    const again = await browser.open(link(await browser.open(url), 'Reconnect'))
    expect(link(again, 'Cancel')).toBe(`${new URL(url).pathname}?event=cancelled`)
    expect(connectedId(await browser.submit(again, shelf()))).toBe(connectedId(end))
  })

  it('leads back to the choice of apps when an app was not connected', async () => {
    const { browser, page, url } = await manage('picker')
    const apps = await browser.open(link(page, 'Connect an app'))
    const [, form = ''] = /href="([^"]+)"[^>]*>(?:(?!<\/a>)[\s\S])*Shelf &amp; Sons/.exec(apps.text) ?? []
    const shelfForm = await browser.open(form.replaceAll('&amp;', '&'))
    expect(link(shelfForm, 'Cancel')).toBe(`${new URL(url).pathname}/apps?event=cancelled`)
    expect((await browser.open(`${url}/apps?event=cancelled`)).text).toContain('const message = {"event":"cancelled"}')
  })

  it('is the only own page to which a login link returns', async () => {
    const { page } = await manage('returner', { app: 'shelf' })
    const [login] = link(page, 'Reconnect').split('?')
    for (const back of ['/connect/accounts/x', `/connect/accounts/${'a'.repeat(43)}/1/disconnect`, `//evil.example/${'a'.repeat(43)}`]) {
      expect((await openBrowser().open(`${login}?redirect_uri=${encodeURIComponent(back)}`)).status).toBe(400)
    }
  })

  it('changes no account of another user, and none of another app than its own', async () => {
    const foreign = await onward.user('victim').connect('desk')
    await onward.user('attacker').connect('desk')
    const { browser, page, url } = await manage('attacker')
    const form = await browser.open(link(page, 'Rename'))
    const limited = await manage('victim', { app: 'crm' })
    for (const change of ['rename', 'disconnect', 'default']) {
      const action = actionOf(form).replace(/\d+\/rename$/, `${foreign}/${change}`)
      const refused = await browser.submit({ ...form, text: `<form method="post" action="${action}"` } as typeof form, { name: 'Mine' })
      expect([refused.status, headingOf(refused)]).toEqual([404, 'There is nothing here'])
      expect((await limited.browser.open(`${limited.url}/${foreign}/${change}`)).status).toBe(404)
    }
    expect((await browser.open(`${url}/${foreign}/rename`)).status).toBe(404)
    expect((await browser.open(link(page, 'Rename').replace('rename', 'delete'))).status).toBe(404)
    expect(await namesOf('victim')).toEqual(['Desk'])
  })

  it('does not open for a link that only connects an account', async () => {
    const id = await onward.user('connector').connect('desk')
    const { url } = await session('connector', { app: 'desk' })
    const browser = openBrowser()
    expect((await browser.open(url)).status).toBe(303)
    for (const change of ['rename', 'disconnect']) expect((await browser.open(`${url}/${id}/${change}`)).status).toBe(404)
  })

  it('has no link back to an address that is no longer allowed', async () => {
    const { browser, page, url } = await manage('departed', { redirect_uri: BACK })
    expect(link(page, 'Back to Acme')).toBe(BACK)
    const application = { workspace_id: 'workspace-1', name: 'Acme' }
    await onward.admin('put', '/admin/applications/app-1', { ...application, allowed_redirects: [] }).expect(200)
    expect((await browser.open(url)).text).not.toContain(BACK)
    await onward.admin('put', '/admin/applications/app-1', { ...application, allowed_redirects: [BACK] }).expect(200)
  })

  it('takes no form of another browser or another site, and no JSON', async () => {
    await onward.user('careful').connect('desk')
    const { browser, page } = await manage('careful')
    const question = await browser.open(link(page, 'Disconnect'))
    expect((await openBrowser().submit(question)).status).toBe(410)
    expect((await browser.submit(question, {}, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await browser.submit(question, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const { pathname } = new URL(actionOf(question))
    await request(onward.url).post(pathname).send({}).expect(415)
    expect(await namesOf('careful')).toEqual(['Desk'])
  })
})
