import request from 'supertest'
import { accountsOf, actionOf, headingOf, respondAsShelf, SHELF_KEY, useShelf } from '../support/connecting.ts'

const { onward, shelf, openShelf } = useShelf()

/** Returns the sealed secrets in a page's form. */
const keptOf = ({ text }: { text: string }) => /name="_kept" value="([\w-]+)"/.exec(text)?.[1] ?? 'none'

describe('the error page of the form', () => {
  it('shows an error beside each wrong field, and stores nothing', async () => {
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

  it.each([[401], [403], [404], [422]])(
    'reports that the app responded %i, and asks for the secret again without keeping it',
    async (status) => {
      onward.third.respond((_received, response) => void response.writeHead(status).end('{"error":"<b>no</b>"}'))
      const { browser, page } = await openShelf(`refused-${status}`)
      const again = await browser.submit(page, shelf('wrong-key-0123456789'))
      expect(again.status).toBe(400)
      expect(again.text).toContain(`Shelf &amp; Sons did not accept these credentials (${status})`)
      expect(again.text).not.toMatch(/wrong-key-0123456789|<b>/)
      expect(again.text).toContain(`value="${onward.third.url}"`)
      expect(again.text).not.toMatch(/_kept| placeholder=/)
      expect(again.text).toContain('<button type="submit">Try again</button>')
      respondAsShelf(onward)
      expect(headingOf(await browser.submit(again, shelf()))).toBe('Shelf & Sons is connected')
    },
  )

  it('keeps a secret after an error elsewhere, without showing it', async () => {
    const { browser, page } = await openShelf('keeper')
    const again = await browser.submit(page, { api_key: SHELF_KEY, url: 'nowhere' })
    expect(again.text).not.toContain(SHELF_KEY)
    const described = 'aria-describedby="hint-api_key kept-api_key"'
    expect(again.text).toMatch(new RegExp(`<input type="text" id="field-api_key"[^>]* ${described} class="secret" placeholder="•+">`))
    const more = await browser.submit(again, { api_key: '', url: 'ftp://still-wrong', _kept: keptOf(again) })
    expect(more.text).not.toContain('API key must not be empty')
    const end = await browser.submit(more, { api_key: '', url: onward.third.url, _kept: keptOf(more) })
    expect(headingOf(end)).toBe('Shelf & Sons is connected')
  })

  it('prefers a secret that is entered again to the kept one', async () => {
    const { browser, page } = await openShelf('changer')
    const again = await browser.submit(page, { api_key: 'wrong-key-0123456789', url: 'nowhere' })
    const end = await browser.submit(again, { ...shelf(), _kept: keptOf(again) })
    expect(headingOf(end)).toBe('Shelf & Sons is connected')
  })

  it('takes a kept secret only in the session in which it was entered', async () => {
    const thief = await openShelf('thief')
    const victim = await openShelf('victim')
    const again = await victim.browser.submit(victim.page, { api_key: SHELF_KEY, url: 'nowhere' })
    for (const _kept of [keptOf(again), 'x', '']) {
      const refused = await thief.browser.submit(thief.page, { api_key: '', url: onward.third.url, _kept })
      expect([refused.status, refused.text.includes('API key must not be empty.')]).toEqual([400, true])
    }
  })

  it('does not keep a secret that cannot be right', async () => {
    const { browser, page } = await openShelf('mistyper')
    const again = await browser.submit(page, { api_key: `two\nlines`, url: onward.third.url })
    expect(again.text).toContain('API key must not contain line breaks')
    const more = await browser.submit(again, { api_key: '', url: onward.third.url, _kept: keptOf(again) })
    expect(more.text).toContain('API key must not be empty.')
  })

  it('reports an error that the app answers with status 200', async () => {
    onward.third.respond((_received, response) => void response.end('{"ok":false,"error":"invalid_auth"}'))
    const { browser, page } = await openShelf('slacker')
    const again = await browser.submit(page, shelf())
    expect([again.status, again.text.includes('did not accept these credentials')]).toEqual([400, true])
  })

  it.each<[string, number, RegExp]>([
    ['is down', 500, /is not working at the moment \(500\)/],
    ['is busy', 429, /is too busy \(429\)/],
    ['redirects', 302, /is not working at the moment \(302\)/],
  ])('lets the user try again, without entering the secret, when the app %s', async (_what, status, words) => {
    onward.third.respond((_received, response) => void response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end())
    const { browser, page } = await openShelf(`unavailable-${status}`)
    const again = await browser.submit(page, shelf())
    expect(again.status).toBe(502)
    expect(again.text).toMatch(words)
    respondAsShelf(onward)
    const end = await browser.submit(again, { api_key: '', url: onward.third.url, _kept: keptOf(again) })
    expect(headingOf(end)).toBe('Shelf & Sons is connected')
  })

  it('reports that the server cannot be reached', async () => {
    const { browser, page } = await openShelf('nobody')
    const again = await browser.submit(page, { api_key: SHELF_KEY, url: 'http://127.0.0.1:1' })
    expect([again.status, /could not be reached/.test(again.text)]).toEqual([502, true])
    expect((await accountsOf(onward)).filter(({ user_id }) => user_id === 'nobody')).toEqual([])
  })

  it('answers 400 to a field that is sent twice or as an object', async () => {
    const { browser, page } = await openShelf('arrays')
    const { pathname } = new URL(actionOf(page))
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const session = /value="([\w-]{43})"/.exec(page.text)?.[1]
    const send = (body: string) => request(onward.url).post(pathname).set('cookie', cookie).type('form').send(body)
    await send(`_session=${session}&api_key=a&api_key=b&url=${onward.third.url}`).expect(400)
    await send(`_session=${session}&api_key[x]=a&url=${onward.third.url}`).expect(400)
    await send(`_session[]=${session}&api_key=a`).expect(400)
  })
})
