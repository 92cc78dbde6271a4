import { connectedId, headingOf, loginUrlOf, openBrowser, openConnecting, type Page, useShelf } from '../support/connecting.ts'

const { onward, shelf } = useShelf()
const BACK = 'https://acme.example/done?from=onward'

beforeAll(async () => {
  await allow({ allowed_redirects: [BACK, 'http://127.0.0.1:9/x'] })
})

const put = (body: object) => onward.admin('put', '/admin/applications/app-1', { workspace_id: 'workspace-1', name: 'app-1', ...body })
const allow = async (body: object) => void (await put(body).expect(200))
const withBack = (url: string, back: string) => `${url}?redirect_uri=${encodeURIComponent(back)}`

describe('redirect_uri', () => {
  it('returns the user with the account id and informs the window that opened the page', async () => {
    const browser = openBrowser()
    const page = await browser.open(withBack(await loginUrlOf(onward.user('joe'), 'shelf'), BACK))
    expect(page.headers['content-security-policy']).toContain(`form-action 'self';`)
    const end = await browser.submit(page, shelf())
    const { body } = await onward.user('joe').post('/apps/shelf/get').expect(200)
    const { id } = body.connected_accounts[0]
    const back = `${BACK}&authorization_id=${id}`
    expect([end.status, headingOf(end), connectedId(end)]).toEqual([200, 'Shelf & Sons is connected', id])
    const escaped = back.replaceAll('&', '&amp;')
    expect(end.text).toContain(`<noscript><meta http-equiv="refresh" content="0; url=${escaped}"></noscript>`)
    expect(end.text).toContain(`<a class="again" href="${escaped}">Go back to app-1</a>`)
    expect(end.text).toMatch(/postMessage\(message, origin\).*location\.replace\(/s)
    expect(end.text).toContain(`location.replace(${JSON.stringify(back)})`)
    expect(end.text).not.toContain('window.close')
    expect(end.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  })

  it('is kept when the user chooses a scheme', async () => {
    const page = await openBrowser().open(withBack(await loginUrlOf(onward.user('joe'), 'vault'), BACK))
    const [, href = ''] = /<a class="other" href="([^"]+scheme=basic[^"]*)"/.exec(page.text) ?? []
    expect(new URL(href.replaceAll('&amp;', '&')).searchParams.get('redirect_uri')).toBe(BACK)
  })

  it.each([
    'https://acme.example/done',
    'https://acme.example/done?from=onward&x=1',
    'https://acme.example/done?from=onward#x',
    'https://ACME.example/done?from=onward',
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    '',
  ])('is refused with 400 when it is %j, which does not equal an allowed address', async (back) => {
    const page = await openBrowser().open(withBack(await loginUrlOf(onward.user('joe'), 'shelf'), back))
    expect([page.status, headingOf(page)]).toEqual([400, 'This link redirects to an unknown address'])
    expect(page.text).toContain('Add the address to its allowed redirects first.')
    expect(page.headers.location).toBeUndefined()
  })

  it('is refused with 400 when it is sent twice', async () => {
    const url = await loginUrlOf(onward.user('joe'), 'shelf')
    const page = await openBrowser().open(`${withBack(url, BACK)}&redirect_uri=https://evil.example`)
    expect(page.status).toBe(400)
  })

  it('is not followed when it was removed from the allowed addresses in the meantime', async () => {
    const browser = openBrowser()
    const page = await browser.open(withBack(await loginUrlOf(onward.user('joe'), 'shelf'), 'http://127.0.0.1:9/x'))
    await allow({ allowed_redirects: [BACK] })
    const end = await browser.submit(page, shelf())
    expect(headingOf(end)).toBe('Shelf & Sons is connected')
    expect(end.text).not.toContain('http://127.0.0.1:9/x')
    expect(end.text).toContain('You can close this window.')
  })
})

describe('cancelling', () => {
  const cancelOf = ({ text }: Page) => /<a class="cancel" href="([^"]+)">Cancel</.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? 'none'

  it('returns to the redirect_uri with an error, from every page', async () => {
    const browser = openBrowser()
    const choice = await browser.open(withBack(await loginUrlOf(onward.user('joe'), 'vault'), BACK))
    const form = await browser.open(withBack(await loginUrlOf(onward.user('joe'), 'shelf'), BACK))
    const again = await browser.submit(form, {})
    expect(again.status).toBe(400)
    for (const page of [choice, form, again]) expect(cancelOf(page)).toBe(`${BACK}&error=access_denied`)
  })

  it('informs the window that opened the page, and closes, when there is no redirect_uri', async () => {
    await allow({ allowed_origins: ['https://acme.example'] })
    const browser = openBrowser()
    const page = await browser.open(await loginUrlOf(onward.user('canceller'), 'shelf'))
    const cancelled = await browser.open(cancelOf(page))
    expect([cancelled.status, headingOf(cancelled)]).toEqual([200, 'Shelf & Sons was not connected'])
    expect(cancelled.text).toContain(`const message = { error: 'access_denied' }`)
    expect(cancelled.text).toContain('for (const origin of ["https://acme.example"]) page.postMessage(message, origin)')
    expect(cancelled.text).toContain('window.close()')
    await allow({ allowed_origins: [] })
    const incomplete = await browser.open(`${onward.url}/connect/nothing/cancel`)
    expect([incomplete.status, headingOf(incomplete)]).toEqual([404, 'This link is not complete'])
  })
})

describe('the last page', () => {
  async function connect(): Promise<string> {
    const browser = openBrowser()
    const end = await browser.submit(await browser.open(await loginUrlOf(onward.user('joe'), 'shelf')), shelf())
    expect(connectedId(end)).toBeGreaterThan(0)
    return end.text
  }

  it('informs no window while the application lists no origins', async () => {
    const page = await connect()
    expect(page).toContain('for (const origin of [])')
    expect(page).not.toContain('"*"')
  })

  it('informs only windows of the origins that the application lists', async () => {
    await allow({ allowed_origins: ['https://acme.example', 'https://app.acme.example:8443'] })
    expect(await connect()).toContain('for (const origin of ["https://acme.example","https://app.acme.example:8443"])')
    await allow({ allowed_origins: [] })
    expect(await connect()).toContain('for (const origin of [])')
  })
})

describe('PUT /admin/applications/:app_key', () => {
  const listed = async () => {
    const { body } = await onward.admin('get', '/admin/applications').expect(200)
    const { allowed_origins, allowed_redirects } = body.applications.find(({ app_key }: { app_key: string }) => app_key === 'app-1')
    return { allowed_origins, allowed_redirects }
  }

  it('changes only the lists that the body contains', async () => {
    const all = { allowed_origins: ['https://a.example', 'http://localhost:3000'], allowed_redirects: ['https://a.example/x?y=z'] }
    await allow(all)
    expect(await listed()).toEqual(all)
    await allow({})
    expect(await listed()).toEqual(all)
    await allow({ allowed_origins: [] })
    expect(await listed()).toEqual({ ...all, allowed_origins: [] })
  })

  it('sets the lists of a new application', async () => {
    const lists = { allowed_origins: ['https://b.example'], allowed_redirects: ['https://b.example/'] }
    await onward.admin('put', '/admin/applications/with-lists', { workspace_id: 'w', name: 'n', ...lists }).expect(200)
    const { body } = await onward.admin('get', '/admin/applications?workspace_id=w').expect(200)
    expect(body.applications[0]).toMatchObject(lists)
  })

  it.each<[string, unknown]>([
    ['allowed_origins', 'http://a.example'],
    ['allowed_origins', 'https://a.example/'],
    ['allowed_origins', 'https://a.example/x'],
    ['allowed_origins', 'https://A.example'],
    ['allowed_origins', 'https://a.example:443'],
    ['allowed_origins', '*'],
    ['allowed_origins', 'null'],
    ['allowed_origins', 5],
    ['allowed_redirects', 'http://a.example/'],
    ['allowed_redirects', 'http://127.0.0.1.example/'],
    ['allowed_redirects', 'javascript:alert(1)'],
    ['allowed_redirects', 'https://a:b@a.example/'],
    ['allowed_redirects', 'https://a.example/#x'],
    ['allowed_redirects', 'https://a.example/ x'],
    ['allowed_redirects', 'https://a.example\\@b.example/'],
    ['allowed_redirects', '/relative'],
    ['allowed_redirects', ''],
  ])('refuses %s with the entry %j', async (list, url) => {
    const { body } = await put({ [list]: ['https://fine.example', url] }).expect(400)
    expect(body.code).toBe('invalid_parameters')
    expect(body.error_details[0]).toMatch(new RegExp(`^${list}\\[1\\]: `))
  })
})

describe('OUTGOING_REACH=public', () => {
  it('refuses plain http in allowed_redirects, even for localhost', async () => {
    const strict = await openConnecting({ OUTGOING_REACH: 'public' })
    const body = { workspace_id: 'workspace-1', name: 'app-1', allowed_redirects: ['http://localhost:3000/'] }
    const refused = await strict.admin('put', '/admin/applications/app-1', body).expect(400)
    expect(refused.body.error_details).toEqual(['allowed_redirects[0]: must be an https URL'])
  })
})
