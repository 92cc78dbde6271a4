import { headingOf, openBrowser } from './connecting.ts'
import { openFunctions } from './support.ts'

it('every app that comes with Onward has a page to connect it on, whichever way', async () => {
  const onward = await openFunctions({ builtIn: true })
  const { body } = await onward.user('joe').post('/apps/list?page_size=200').expect(200)
  const apps = body.apps.filter(({ login_url }: { login_url: string }) => login_url !== '')
  expect(apps.length).toBeGreaterThan(5)
  const wrong: string[] = []
  for (const { name, title, login_url } of apps) {
    const path = `/admin/applications/app-1/oauth-clients/${name}`
    // Apps without OAuth refuse it.
    await onward.admin('put', path, { client_id: 'client', client_secret: 'secret-0123456789' })
    const first = await openBrowser().open(login_url)
    const links = [...first.text.matchAll(/<a href="([^"]+)">/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
    const pages = links.length === 0 ? [first] : await Promise.all(links.map((href) => openBrowser().open(href)))
    for (const page of [first, ...pages]) {
      if (page.status !== 200 || headingOf(page) !== `Connect ${title} to app-1`) wrong.push(`${name}: ${page.status} ${headingOf(page)}`)
    }
    for (const page of pages) if (!page.text.includes('<form')) wrong.push(`${name}: no form`)
  }
  expect(wrong).toEqual([])
})
