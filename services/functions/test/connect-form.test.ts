import { accountsOf, beShelf, connectedId, headingOf, loginUrlOf, openBrowser, SHELF_KEY } from './connecting.ts'
import { useShelf } from './use-shelf.ts'

const using = useShelf()
const { shelf, openShelf } = using

describe('login_url', () => {
  it('leads to the page of the app, wherever an app object is shown', async () => {
    const joe = using.onward.user('joe')
    const { body: listed } = await joe.post('/apps/list').expect(200)
    const { body: got } = await joe.post('/apps/shelf/get').expect(200)
    const { body: fn } = await joe.post('/functions/shelf-list-books/get?include=meta').expect(200)
    const { body: fns } = await joe.post('/functions/list?include=meta&app=shelf').expect(200)
    const { body: predicted } = await joe.post('/functions/predict?include=meta', { prompt: 'shelf list books' }).expect(200)
    const urls = [
      listed.apps.find(({ name }: { name: string }) => name === 'shelf').login_url,
      ...[got.login_url, fn.meta.app.login_url, fns.functions[0].meta.app.login_url, predicted.functions[0].meta.app.login_url],
    ]
    for (const url of urls) {
      expect(url).toMatch(new RegExp(`^${using.onward.url}/connect/[\\w-]+$`))
      expect(headingOf(await openBrowser().open(url))).toBe('Connect Shelf & Sons to app-1')
    }
  })

  it('is empty for an app that needs no account', async () => {
    expect(await loginUrlOf(using.onward.user('joe'), 'clock')).toBe('')
  })

  it('shows nothing of the user or the application', async () => {
    const token = (await loginUrlOf(using.onward.user('joe@example.com'), 'shelf')).split('/').at(-1) ?? ''
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toMatch(/joe|app-1|shelf/)
  })

  it('takes the host of the request, and nothing that is no host', async () => {
    const get = (host: string) => using.onward.user('joe').post('/apps/shelf/get').set('host', host)
    expect((await get('onward.example:8443').expect(200)).body.login_url).toMatch(/^http:\/\/onward\.example:8443\/connect\//)
    for (const host of ['a/b', 'a b', 'user@host', 'host?x', 'host#x', 'a"b']) {
      expect([host, (await get(host)).status]).toEqual([host, 400])
    }
  })
})

describe('the form', () => {
  it('has the fields of the app, and what assistive technology needs', async () => {
    const { page } = await openShelf('joe')
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(page.text).toContain('<title>Connect Shelf &amp; Sons to app-1</title>')
    for (const [name, type] of [
      ['api_key', 'password'],
      ['url', 'url'],
    ]) {
      const [input = ''] = new RegExp(`<input type="${type}"[^>]* name="${name}"[^>]*>`).exec(page.text) ?? []
      expect(input).toMatch(/ autocomplete="off"/)
      expect(input).toMatch(/ required/)
      const [, id] = / id="([^"]+)"/.exec(input) ?? []
      expect(page.text).toContain(`<label for="${id}">`)
      const [, hint] = / aria-describedby="([^"]+)"/.exec(input) ?? []
      expect(page.text).toContain(`id="${hint}"`)
    }
    expect(page.text).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1)/)
  })

  it('stores tested credentials, sealed, under the name that the app gives', async () => {
    const { browser, page } = await openShelf('ada')
    const end = await browser.submit(page, shelf())
    expect([end.status, headingOf(end)]).toEqual([200, 'Shelf & Sons is connected'])
    expect(end.text).toContain('<strong>ada@example.com</strong>')
    const ada = using.onward.user('ada')
    const { body } = await ada.post('/apps/shelf/get').expect(200)
    expect(body.connected_accounts).toEqual([
      expect.objectContaining({ id: connectedId(end), display_name: 'ada@example.com', status: 'active' }),
    ])
    expect((await ada.call('shelf-list-books').expect(200)).body.output).toEqual(['Sense'])
    const [row] = (await accountsOf(using.onward)).filter(({ user_id }) => user_id === 'ada')
    expect(row).toMatchObject({ external_id: expect.stringMatching(/^[0-9a-f]{64}$/), renewed_at: null })
    expect(row?.sealed_credentials.toString('latin1')).not.toContain(SHELF_KEY)
  })

  it('counts and logs no task for the test', async () => {
    const before = await using.onward.rows()
    const { browser, page } = await openShelf('untasked')
    await browser.submit(page, shelf())
    expect(await using.onward.rows()).toEqual(before)
  })

  it('renews an account of the same owner instead of doubling it', async () => {
    const first = await openShelf('renewer')
    const id = connectedId(await first.browser.submit(first.page, shelf()))
    await using.onward.db
      .updateTable('connected_account')
      .set({ status: 'reconnect_required', last_error: 'gone', modified_at: new Date(0) })
      .where('id', '=', String(id))
      .execute()
    const [before] = (await accountsOf(using.onward)).filter(({ user_id }) => user_id === 'renewer')
    beShelf(using.onward, { id: 7, email: 'countess@example.com' })
    const second = await openShelf('renewer')
    expect(connectedId(await second.browser.submit(second.page, shelf()))).toBe(id)
    const rows = (await accountsOf(using.onward)).filter(({ user_id }) => user_id === 'renewer')
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ status: 'active', last_error: null, display_name: 'countess@example.com' })
    expect(Number(rows[0]?.version)).toBe(Number(before?.version) + 1)
    expect(rows[0]?.modified_at.getTime()).toBeGreaterThan(Date.now() - 60_000)
    await using.onward.user('renewer').call('shelf-list-books').expect(200)
    beShelf(using.onward, { id: 8, email: 'other@example.com' })
    const third = await openShelf('renewer')
    expect(connectedId(await third.browser.submit(third.page, shelf()))).not.toBe(id)
  })

  it('keeps apart the accounts of two sites whose owners have the same id', async () => {
    const sites = [`${using.onward.third.url}/one`, `${using.onward.third.url}/two`]
    using.onward.third.answer(({ url }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ reader: { id: 1, email: `admin${url?.replace('/me', '')}` } }))
    })
    const connect = async (url: string | undefined) => {
      const { browser, page } = await openShelf('two-sites')
      return connectedId(await browser.submit(page, { api_key: SHELF_KEY, url: url ?? '' }))
    }
    const [one, two] = [await connect(sites[0]), await connect(sites[1])]
    expect(two).not.toBe(one)
    expect(await connect(sites[0])).toBe(one)
    const rows = (await accountsOf(using.onward)).filter(({ user_id }) => user_id === 'two-sites')
    expect(rows.map(({ id, display_name, version }) => [Number(id), display_name, Number(version)])).toEqual([
      [one, 'admin/one', 2],
      [two, 'admin/two', 1],
    ])
  })

  it('makes one account of the same owner when two windows connect at once', async () => {
    const windows = await Promise.all(Array.from({ length: 4 }, () => openShelf('twins')))
    const ends = await Promise.all(windows.map(({ browser, page }) => browser.submit(page, shelf())))
    expect(new Set(ends.map(connectedId)).size).toBe(1)
  })

  it('makes an account of each for apps that do not tell whose it is', async () => {
    const ids: number[] = []
    for (let n = 0; n < 2; n++) {
      const browser = openBrowser()
      const page = await browser.open(`${await loginUrlOf(using.onward.user('safe'), 'vault')}?scheme=api_key`)
      ids.push(connectedId(await browser.submit(page, { api_key: 'vault-key-0123', url: using.onward.third.url })))
    }
    expect(new Set(ids).size).toBe(2)
    const { body } = await using.onward.user('safe').post('/apps/vault/get').expect(200)
    expect(body.connected_accounts[0].display_name).toBe('Vault')
  })

  it('takes a key with the blanks that it was pasted with', async () => {
    const { browser, page } = await openShelf('paster')
    const end = await browser.submit(page, { api_key: `\t ${SHELF_KEY}\r\n`, url: ` ${using.onward.third.url} ` })
    expect(headingOf(end)).toBe('Shelf & Sons is connected')
  })
})

describe('a choice', () => {
  it('is offered when the app has several schemes', async () => {
    const joe = using.onward.user('joe')
    const url = await loginUrlOf(joe, 'vault')
    const browser = openBrowser()
    const page = await browser.open(url)
    const links = [...page.text.matchAll(/<a href="([^"]+)">([^<]+)</g)].map(([, href = '', name]) => [href.replace(url, ''), name])
    expect(links).toEqual([
      ['?scheme=api_key', 'With an API key'],
      ['?scheme=basic', 'With a name and a password'],
      ['?scheme=custom', 'With keys'],
    ])
    expect(headingOf(await browser.open(`${url}?scheme=oauth2`))).toBe('Connect Vault to app-1')
    expect((await browser.open(`${url}?scheme=none`)).text).toContain('How do you want to connect?')
  })

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['basic', { username: 'ada', password: ' pass ' }, { authorization: `Basic ${Buffer.from('ada: pass ').toString('base64')}` }],
    ['custom', { public_key: 'pub', secret_key: 'sec-0123456789' }, { 'x-public': 'pub', 'x-secret': 'sec-0123456789' }],
  ])('leads to the fields of %s', async (scheme, fields, headers) => {
    const user = using.onward.user(`by-${scheme}`)
    const browser = openBrowser()
    const page = await browser.open(`${await loginUrlOf(user, 'vault')}?scheme=${scheme}`)
    const wrong = await browser.submit(page, { ...fields, url: '' })
    expect(wrong.status).toBe(400)
    const end = await browser.submit(page, { ...fields, url: using.onward.third.url })
    expect(headingOf(end)).toBe('Vault is connected')
    using.onward.third.answer((_received, response) => void response.end('{}'))
    await user.call('vault-open-vault').expect(200)
    expect(using.onward.third.received.at(-1)?.headers).toMatchObject(headers)
  })
})
