import { headingOf, loginUrlOf, openBrowser, type Page, useShelf } from '../support/connecting.ts'

const { onward, shelf } = useShelf()

const settings = { workspace_id: 'workspace-1', name: 'app-1' }
const dress = (connect_pages: object) => onward.admin('put', '/admin/applications/app-1', { ...settings, connect_pages })
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs='
const langOf = ({ text }: Page) => /<html lang="(\w+)">/.exec(text)?.[1]
const policyOf = ({ headers }: Page) => headers['content-security-policy']

afterEach(async () => void (await dress({}).expect(200)))

describe('the language of the connect pages', () => {
  it.each([
    ['de-CH,de;q=0.9,en;q=0.8', 'de', 'Shelf & Sons mit app-1 verbinden'],
    ['es', 'es', 'Conectar Shelf & Sons con app-1'],
    ['pt-BR,fr;q=0.5', 'fr', 'Connecter Shelf & Sons à app-1'],
    ['ja', 'ja', 'Shelf & Sons を app-1 に接続'],
    ['pt-BR', 'en', 'Connect Shelf & Sons to app-1'],
  ])('is for Accept-Language %s the language %s', async (accept, lang, heading) => {
    const page = await openBrowser().open(await loginUrlOf(onward.user('reader'), 'shelf'), { 'accept-language': accept })
    expect([langOf(page), headingOf(page)]).toEqual([lang, heading])
  })

  it('is the locale of the link on all pages, whatever the browser asks for', async () => {
    const browser = openBrowser()
    const page = await browser.open(`${await loginUrlOf(onward.user('chosen'), 'shelf')}?locale=de-AT`, { 'accept-language': 'fr' })
    expect(headingOf(page)).toBe('Shelf & Sons mit app-1 verbinden')
    const wrong = await browser.submit(page, { ...shelf(), url: '' }, { 'accept-language': 'fr' })
    expect(wrong.text).toContain('Server URL darf nicht leer sein.')
    expect(wrong.text).toContain('API-Schlüssel')
    const [, cancel = ''] = /<a class="cancel" href="([^"]+)"/.exec(wrong.text) ?? []
    expect(headingOf(await browser.open(cancel))).toBe('Shelf & Sons wurde nicht verbunden')
    expect(headingOf(await browser.submit(page, shelf()))).toBe('Shelf & Sons ist verbunden')
  })

  it('is the locale of a link to the page of accounts, and of the pages behind it', async () => {
    const user = onward.user('manager')
    await user.connect('desk', { api_key: 'desk-key-0123456789' })
    const { body } = await user.post('/connect/session', { manage: true, app: 'desk', locale: 'ja' }).expect(200)
    const browser = openBrowser()
    const page = await browser.open(body.url)
    expect(headingOf(page)).toBe('接続済みのアカウント')
    const [, rename = ''] = /href="([^"]+\/rename)"/.exec(page.text) ?? []
    expect(headingOf(await browser.open(rename))).toBe('Desk アカウントの名前を変更')
    const [, again = ''] = /<a class="again" href="([^"]+)"/.exec(page.text) ?? []
    expect(headingOf(await browser.open(again.replaceAll('&amp;', '&')))).toBe('Desk を app-1 に接続')
  })

  it('is the language of the browser where no application is known', async () => {
    const page = await openBrowser().open(`${onward.url}/connect/nothing`, { 'accept-language': 'es' })
    expect([page.status, headingOf(page)]).toEqual([404, 'Este enlace no está completo'])
  })
})

describe('the brand of an application', () => {
  it('is the first letter of its name without a logo', async () => {
    await dress({ name: 'Émile & Söhne' }).expect(200)
    const page = await openBrowser().open(await loginUrlOf(onward.user('joe'), 'shelf'))
    expect(page.text).toContain('<header><span class="mark" aria-hidden="true">É</span>Émile &amp; Söhne</header>')
  })

  it('gives the pages its name, logo, accent and theme', async () => {
    await dress({ name: 'Acme', logo: PIXEL, accent: '#FFE100', theme: 'light' }).expect(200)
    const page = await openBrowser().open(await loginUrlOf(onward.user('joe'), 'shelf'))
    expect(headingOf(page)).toBe('Connect Shelf & Sons to Acme')
    expect(page.text).toContain(`<header><img src="${PIXEL}" alt="" height="32">Acme</header>`)
    expect(page.text).toContain('<meta name="color-scheme" content="light">')
    expect(page.text).not.toContain('prefers-color-scheme')
    // Yellow on white cannot be read, so it is darker.
    expect(page.text).toMatch(/--accent: #[0-8][0-9a-f]{5};/)
    expect(policyOf(page)).toContain('img-src data:;')
    const { body } = await onward.admin('get', '/admin/applications?workspace_id=workspace-1').expect(200)
    expect(body.applications[0].connect_pages).toEqual({ name: 'Acme', logo: PIXEL, accent: '#FFE100', theme: 'light' })
  })

  it('may have a logo at an https URL, whose origin alone the policy allows', async () => {
    await dress({ logo: 'https://cdn.acme.example/logo.svg?v=2' }).expect(200)
    const page = await openBrowser().open(await loginUrlOf(onward.user('joe'), 'shelf'))
    expect(policyOf(page)).toContain('img-src data: https://cdn.acme.example;')
    expect(page.text).toContain('<img src="https://cdn.acme.example/logo.svg?v=2" alt="" height="32">app-1')
  })

  it('is shown on the pages of accounts and of signing in too', async () => {
    await dress({ name: 'Acme', theme: 'dark' }).expect(200)
    const user = onward.user('joe')
    const { body } = await user.post('/connect/session', { manage: true }).expect(200)
    const accounts = await openBrowser().open(body.url)
    const { body: link } = await user.post('/mcp/sign-in/link', {}).expect(200)
    const signIn = await openBrowser().open(link.url)
    for (const page of [accounts, signIn]) {
      expect(page.text).toContain('<meta name="color-scheme" content="dark">')
      expect(page.text).toContain('Acme')
    }
  })

  it.each<[object]>([
    [{ logo: 'http://acme.example/logo.png' }],
    [{ logo: 'https://' }],
    [{ logo: "https://acme.example/'; script-src *" }],
    [{ logo: 'javascript:alert(1)' }],
    [{ logo: 'data:text/html;base64,PGI+' }],
    [{ logo: `data:image/png;base64,${'A'.repeat(32_768)}` }],
    [{ accent: 'blue' }],
    [{ accent: '#fff' }],
    [{ theme: 'system' }],
    [{ limit_url: 'http://acme.example/plan' }],
    [{ limit_url: 'https://' }],
    [{ limit_url: 'https://[' }],
    [{ limit_url: 'javascript:alert(1)' }],
    [{ name: '' }],
    [{ css: 'body{}' }],
  ])('refuses %j', async (wrong) => {
    const { body } = await dress(wrong).expect(400)
    expect(body.error_details.length).toBeGreaterThan(0)
  })
})
