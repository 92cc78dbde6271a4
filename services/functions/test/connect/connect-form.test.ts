import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountsOf, connectedId, headingOf, loginUrlOf, openBrowser, respondAsShelf, SHELF_KEY, useShelf } from '../support/connecting.ts'

const { onward, shelf, openShelf } = useShelf()

describe('login_url', () => {
  it('opens the page of the app, in every response that contains an app', async () => {
    const joe = onward.user('joe')
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
      expect(url).toMatch(new RegExp(`^${onward.url}/connect/[\\w-]+$`))
      expect(headingOf(await openBrowser().open(url))).toBe('Connect Shelf & Sons to app-1')
    }
  })

  it('is empty for an app without authentication', async () => {
    expect(await loginUrlOf(onward.user('joe'), 'clock')).toBe('')
  })

  it('reveals nothing about the user or the application', async () => {
    const token = (await loginUrlOf(onward.user('joe@example.com'), 'shelf')).split('/').at(-1) ?? ''
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toMatch(/joe|app-1|shelf/)
  })

  it('uses the Host header of the request, and refuses an invalid one', async () => {
    const get = (host: string) => onward.user('joe').post('/apps/shelf/get').set('host', host)
    expect((await get('onward.example:8443').expect(200)).body.login_url).toMatch(/^http:\/\/onward\.example:8443\/connect\//)
    for (const host of ['a/b', 'a b', 'user@host', 'host?x', 'host#x', 'a"b']) {
      expect([host, (await get(host)).status]).toEqual([host, 400])
    }
  })
})

describe('the form', () => {
  it('shows the fields of the app with the labels and hints that assistive technology needs', async () => {
    const { page } = await openShelf('joe')
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(page.text).toContain('<title>Connect Shelf &amp; Sons to app-1</title>')
    for (const [name, type] of [
      ['api_key', 'text'],
      ['url', 'url'],
    ]) {
      const [input = ''] = new RegExp(`<input type="${type}"[^>]* name="${name}"[^>]*>`).exec(page.text) ?? []
      expect(input).toMatch(/ autocomplete="off"/)
      expect(input).toMatch(/ required/)
      expect(input).toMatch(/ data-1p-ignore data-bwignore data-lpignore="true" data-form-type="other"/)
      const [, id] = / id="([^"]+)"/.exec(input) ?? []
      expect(page.text).toContain(`<label for="${id}">`)
      const [, hint] = / aria-describedby="([^"]+)"/.exec(input) ?? []
      expect(page.text).toContain(`id="${hint}"`)
    }
    expect(page.text).toMatch(/<input [^>]*name="api_key"[^>]* class="secret">/)
    expect(page.text).not.toMatch(/<script src|https?:\/\/(?!127\.0\.0\.1|shelf\.example\/help|www\.w3\.org\/2000\/svg)/)
  })

  it('tests the credentials and stores them sealed, under the name that the app returns', async () => {
    const { browser, page } = await openShelf('ada')
    const end = await browser.submit(page, shelf())
    expect([end.status, headingOf(end)]).toEqual([200, 'Shelf & Sons is connected'])
    expect(end.text).toContain('<strong>ada@example.com</strong>')
    const ada = onward.user('ada')
    const { body } = await ada.post('/apps/shelf/get').expect(200)
    expect(body.connected_accounts).toEqual([
      expect.objectContaining({ id: connectedId(end), display_name: 'ada@example.com', status: 'active' }),
    ])
    expect((await ada.call('shelf-list-books').expect(200)).body.output).toEqual(['Sense'])
    const [row] = (await accountsOf(onward)).filter(({ user_id }) => user_id === 'ada')
    expect(row).toMatchObject({ external_id: expect.stringMatching(/^[0-9a-f]{64}$/), renewed_at: null })
    expect(row?.sealed_credentials.toString('latin1')).not.toContain(SHELF_KEY)
  })

  it('neither counts nor logs the test of the credentials', async () => {
    const before = await onward.rows()
    const { browser, page } = await openShelf('untasked')
    await browser.submit(page, shelf())
    expect(await onward.rows()).toEqual(before)
  })

  it('renews the account when the same owner connects again', async () => {
    const first = await openShelf('renewer')
    const id = connectedId(await first.browser.submit(first.page, shelf()))
    await onward.db
      .updateTable('connected_account')
      .set({ status: 'reconnect_required', last_error: 'gone', modified_at: new Date(0) })
      .where('id', '=', String(id))
      .execute()
    const [before] = (await accountsOf(onward)).filter(({ user_id }) => user_id === 'renewer')
    respondAsShelf(onward, { id: 7, email: 'countess@example.com' })
    const second = await openShelf('renewer')
    expect(connectedId(await second.browser.submit(second.page, shelf()))).toBe(id)
    const rows = (await accountsOf(onward)).filter(({ user_id }) => user_id === 'renewer')
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ status: 'active', last_error: null, display_name: 'countess@example.com' })
    expect(Number(rows[0]?.version)).toBe(Number(before?.version) + 1)
    expect(rows[0]?.modified_at.getTime()).toBeGreaterThan(Date.now() - 60_000)
    await onward.user('renewer').call('shelf-list-books').expect(200)
    respondAsShelf(onward, { id: 8, email: 'other@example.com' })
    const third = await openShelf('renewer')
    expect(connectedId(await third.browser.submit(third.page, shelf()))).not.toBe(id)
  })

  it('creates two accounts when owners at two sites have the same id', async () => {
    const sites = [`${onward.third.url}/one`, `${onward.third.url}/two`]
    onward.third.respond(({ url }, response) => {
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
    const rows = (await accountsOf(onward)).filter(({ user_id }) => user_id === 'two-sites')
    expect(rows.map(({ id, display_name, version }) => [Number(id), display_name, Number(version)])).toEqual([
      [one, 'admin/one', 2],
      [two, 'admin/two', 1],
    ])
  })

  it('creates one account when four windows connect the same owner together', async () => {
    const windows = await Promise.all(Array.from({ length: 4 }, () => openShelf('twins')))
    const ends = await Promise.all(windows.map(({ browser, page }) => browser.submit(page, shelf())))
    expect(new Set(ends.map(connectedId)).size).toBe(1)
  })

  it('creates an account each time when the app does not identify its owner', async () => {
    const ids: number[] = []
    for (let n = 0; n < 2; n++) {
      const browser = openBrowser()
      const page = await browser.open(`${await loginUrlOf(onward.user('safe'), 'vault')}?scheme=api_key`)
      ids.push(connectedId(await browser.submit(page, { api_key: 'vault-key-0123', url: onward.third.url })))
    }
    expect(new Set(ids).size).toBe(2)
    const { body } = await onward.user('safe').post('/apps/vault/get').expect(200)
    expect(body.connected_accounts[0].display_name).toBe('Vault')
  })

  it('trims the blanks around a pasted key', async () => {
    const { browser, page } = await openShelf('paster')
    const end = await browser.submit(page, { api_key: `\t ${SHELF_KEY}\r\n`, url: ` ${onward.third.url} ` })
    expect(headingOf(end)).toBe('Shelf & Sons is connected')
  })
})

describe('what the form explains', () => {
  it('shows the logo beside the app file, and where to find each value, and explains in one paragraph', async () => {
    const { page } = await openShelf('asker')
    const svg = await readFile(join(__dirname, '../connect-apps/icons/shelf.svg'), 'base64')
    expect(page.text).toContain(`<img src="data:image/svg+xml;base64,${svg}" alt=""`)
    expect(page.text).toContain('id="hint-api_key">On the back of your library card.</p>')
    expect(page.text).toContain('id="hint-url">Where the shelf stands.</p>')
    expect(page.text).toContain(
      '<a href="https://shelf.example/help" target="_blank" rel="noreferrer">How to get this from Shelf &amp; Sons <span aria-hidden="true">↗</span>',
    )
    expect(page.text.match(/<p>/g)).toHaveLength(1)
    expect(page.headers['content-security-policy']).toContain('img-src data:;')
  })

  it('shows the first letter of an app without a logo, and no link without a help page', async () => {
    const browser = openBrowser()
    const url = await loginUrlOf(onward.user('asker'), 'vault')
    for (const page of [await browser.open(url), await browser.open(`${url}?scheme=basic`)]) {
      expect(page.text).toContain('<div class="mark" aria-hidden="true">V</div>')
      expect(page.text).not.toMatch(/<img|target="_blank"/)
    }
  })
})

describe('the ways to connect', () => {
  it('are links below the form of the first one when the app has several schemes', async () => {
    const joe = onward.user('joe')
    const url = await loginUrlOf(joe, 'vault')
    const browser = openBrowser()
    const page = await browser.open(url)
    expect(page.text).toContain('name="api_key"')
    const links = [...page.text.matchAll(/<a class="other" href="([^"]+)">([^<]+)</g)].map(([, href = '', name]) => [
      href.replace(url, ''),
      name,
    ])
    expect(links).toEqual([
      ['?scheme=basic', 'Use a name and a password instead'],
      ['?scheme=custom', 'Use keys instead'],
    ])
    expect(headingOf(await browser.open(`${url}?scheme=oauth2`))).toBe('Connect Vault to app-1')
    expect((await browser.open(`${url}?scheme=none`)).text).toContain('name="api_key"')
  })

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['basic', { username: 'ada', password: ' pass ' }, { authorization: `Basic ${Buffer.from('ada: pass ').toString('base64')}` }],
    ['custom', { public_key: 'pub', secret_key: 'sec-0123456789' }, { 'x-public': 'pub', 'x-secret': 'sec-0123456789' }],
  ])('opens the form of the scheme %s', async (scheme, fields, headers) => {
    const user = onward.user(`by-${scheme}`)
    const browser = openBrowser()
    const page = await browser.open(`${await loginUrlOf(user, 'vault')}?scheme=${scheme}`)
    const wrong = await browser.submit(page, { ...fields, url: '' })
    expect(wrong.status).toBe(400)
    const end = await browser.submit(page, { ...fields, url: onward.third.url })
    expect(headingOf(end)).toBe('Vault is connected')
    onward.third.respond((_received, response) => void response.end('{}'))
    await user.call('vault-open-vault').expect(200)
    expect(onward.third.received.at(-1)?.headers).toMatchObject(headers)
  })
})

describe('the display name of an account', () => {
  it.each<[string, unknown, string]>([
    ['a number', 42, '42'],
    ['text with control characters', 'A\u0000d\u001fa\n\u202e!', 'A d a !'],
    ['an empty string', '', 'Shelf & Sons'],
    ['null', null, 'Shelf & Sons'],
    ['an object', { x: 1 }, 'Shelf & Sons'],
    ['a text of 300 characters', '\u{1f4da}'.repeat(300), '\u{1f4da}'.repeat(200)],
    ['a text that ends in half a surrogate pair', 'Ada \ud83d', 'Ada'],
  ])('is safe to show when the app returns %s', async (_what, email, name) => {
    respondAsShelf(onward, { id: `id of ${JSON.stringify(email)}`.slice(0, 50), email })
    const { browser, page } = await openShelf('named')
    const id = connectedId(await browser.submit(page, shelf()))
    const { body } = await onward.user('named').post('/apps/shelf/get').expect(200)
    expect(body.connected_accounts.find((account: { id: number }) => account.id === id).display_name).toBe(name)
  })

  it('is found again when the external id has 5,000 characters', async () => {
    respondAsShelf(onward, { id: 'x'.repeat(5_000), email: 'long@example.com' })
    const { browser, page } = await openShelf('long-id')
    const id = connectedId(await browser.submit(page, shelf()))
    const again = await openShelf('long-id')
    expect(connectedId(await again.browser.submit(again.page, shelf()))).toBe(id)
  })
})

describe('GET /admin/app-icons', () => {
  it('returns the logos beside the app files as data: URLs, and none for an app without a logo', async () => {
    const svg = await readFile(join(__dirname, '../connect-apps/icons/shelf.svg'), 'base64')
    const { body } = await onward.admin('get', '/admin/app-icons').expect(200)
    expect(body.icons).toEqual({ shelf: `data:image/svg+xml;base64,${svg}` })
  })
})
