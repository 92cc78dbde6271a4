import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Page } from 'playwright-core'

export const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const there = existsSync(executablePath)
if (!there) process.stderr.write(`No Chromium at ${executablePath} (CHROMIUM_PATH says where): connecting in a browser is not tested.\n`)
export const describeWithBrowser = there ? describe : describe.skip

/** A page of the client application, which opens a login page and notes what it is told. */
export const OPENER = `<!doctype html><title>Acme</title><script>
window.told = []
window.addEventListener('message', ({ data, origin }) => window.told.push({ data, origin }))
</script>`

/** A port of 127.0.0.1 that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}

export /** What can be told of accessibility without an eye on it. */
async function expectAccessible(page: Page): Promise<void> {
  const found = await page.evaluate(`({
    lang: document.documentElement.lang,
    title: document.title,
    headings: [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((heading) => heading.tagName),
    mains: document.querySelectorAll('main').length,
    nameless: [...document.querySelectorAll('input:not([type=hidden]),textarea,select')].filter((field) => !field.labels.length).length,
    described: [...document.querySelectorAll('[aria-describedby]')].flatMap((field) => field.getAttribute('aria-describedby').split(' ')).filter((id) => !document.getElementById(id)),
    ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
    small: [...document.querySelectorAll('button,input:not([type=hidden]),.again,.choices a')].filter((each) => each.getBoundingClientRect().height < 44).length,
    zoomable: !/maximum-scale|user-scalable/.test(document.querySelector('meta[name=viewport]').content),
    wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    foreign: performance.getEntriesByType('resource').map(({ name }) => name),
  })`)
  expect(found).toEqual({
    ...{ lang: 'en', title: expect.stringMatching(/\S/), headings: ['H1'], mains: 1, nameless: 0, described: [] },
    ...{ ids: [...new Set((found as { ids: string[] }).ids)], small: 0, zoomable: true, wide: false, foreign: [] },
  })
}
