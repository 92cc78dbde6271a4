import request from 'supertest'
import { accountsOf, actionOf, beShelf, connectedId, headingOf, SHELF_KEY } from './connecting.ts'
import { useShelf } from './use-shelf.ts'

const using = useShelf()
const { shelf, openShelf } = using

describe('what is wrong', () => {
  it('is said beside each field, and nothing is stored', async () => {
    const { browser, page } = await openShelf('wrong')
    const again = await browser.submit(page, { api_key: '', url: 'ftp://somewhere' })
    expect(again.status).toBe(400)
    expect(again.text).toContain('<title>Error: Connect Shelf')
    expect(again.text).toMatch(/<div class="summary" role="alert" tabindex="-1" autofocus>/)
    expect(again.text).toContain('<a href="#field-api_key">API key must not be empty.</a>')
    expect(again.text).toContain('id="wrong-url">Server URL must be an http or https URL')
    expect(again.text).toMatch(/name="url"[^>]*aria-describedby="hint-url wrong-url" aria-invalid="true" value="ftp:\/\/somewhere"/)
    expect(headingOf(await browser.submit(again, shelf()))).toBe('Shelf & Sons is connected')
  })

  it.each([[401], [403], [404], [422]])('is that the app answers %i, and the secret is not shown again', async (status) => {
    using.onward.third.answer((_received, response) => void response.writeHead(status).end('{"error":"<b>no</b>"}'))
    const { browser, page } = await openShelf(`refused-${status}`)
    const again = await browser.submit(page, shelf('wrong-key-0123456789'))
    expect(again.status).toBe(400)
    expect(again.text).toContain(`Shelf &amp; Sons did not accept these credentials (${status})`)
    expect(again.text).not.toMatch(/wrong-key-0123456789|<b>/)
    expect(again.text).toContain(`value="${using.onward.third.url}"`)
    beShelf(using.onward)
    expect(headingOf(await browser.submit(again, shelf()))).toBe('Shelf & Sons is connected')
  })

  it('is that the app answers 200 and an error', async () => {
    using.onward.third.answer((_received, response) => void response.end('{"ok":false,"error":"invalid_auth"}'))
    const { browser, page } = await openShelf('slacker')
    const again = await browser.submit(page, shelf())
    expect([again.status, again.text.includes('did not accept these credentials')]).toEqual([400, true])
  })

  it.each<[string, number, RegExp]>([
    ['does not work', 500, /is not working at the moment \(500\)/],
    ['is busy', 429, /is too busy \(429\)/],
    ['leads elsewhere', 302, /is not working at the moment \(302\)/],
  ])('is that the app %s: the user may try again', async (_what, status, words) => {
    using.onward.third.answer((_received, response) => void response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end())
    const { browser, page } = await openShelf(`unavailable-${status}`)
    const again = await browser.submit(page, shelf())
    expect(again.status).toBe(502)
    expect(again.text).toMatch(words)
    beShelf(using.onward)
    expect(headingOf(await browser.submit(again, shelf()))).toBe('Shelf & Sons is connected')
  })

  it('is that nothing answers there', async () => {
    const { browser, page } = await openShelf('nobody')
    const again = await browser.submit(page, { api_key: SHELF_KEY, url: 'http://127.0.0.1:1' })
    expect([again.status, /could not be reached/.test(again.text)]).toEqual([502, true])
    expect((await accountsOf(using.onward)).filter(({ user_id }) => user_id === 'nobody')).toEqual([])
  })

  it('is a field that was sent twice or as an object', async () => {
    const { browser, page } = await openShelf('arrays')
    const { pathname } = new URL(actionOf(page))
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const session = /value="([\w-]{43})"/.exec(page.text)?.[1]
    const send = (body: string) => request(using.onward.url).post(pathname).set('cookie', cookie).type('form').send(body)
    await send(`_session=${session}&api_key=a&api_key=b&url=${using.onward.third.url}`).expect(400)
    await send(`_session=${session}&api_key[x]=a&url=${using.onward.third.url}`).expect(400)
    await send(`_session[]=${session}&api_key=a`).expect(400)
  })
})

describe('the name of an account', () => {
  it.each<[string, unknown, string]>([
    ['a number', 42, '42'],
    ['controls', 'A\u0000d\u001fa\n\u202e!', 'A d a !'],
    ['nothing', '', 'Shelf & Sons'],
    ['null', null, 'Shelf & Sons'],
    ['an object', { x: 1 }, 'Shelf & Sons'],
    ['too much', '\u{1f4da}'.repeat(300), '\u{1f4da}'.repeat(200)],
    ['half a character', 'Ada \ud83d', 'Ada'],
  ])('is made of %s', async (_what, email, name) => {
    beShelf(using.onward, { id: `id of ${JSON.stringify(email)}`.slice(0, 50), email })
    const { browser, page } = await openShelf('named')
    const id = connectedId(await browser.submit(page, shelf()))
    const { body } = await using.onward.user('named').post('/apps/shelf/get').expect(200)
    expect(body.connected_accounts.find((account: { id: number }) => account.id === id).display_name).toBe(name)
  })

  it('may come with an id of any length', async () => {
    beShelf(using.onward, { id: 'x'.repeat(5_000), email: 'long@example.com' })
    const { browser, page } = await openShelf('long-id')
    const id = connectedId(await browser.submit(page, shelf()))
    const again = await openShelf('long-id')
    expect(connectedId(await again.browser.submit(again.page, shelf()))).toBe(id)
  })
})
