import { type AxeResults, source as axe } from 'axe-core'
import type { Page } from 'playwright-core'

/** Checks the accessibility rules that a script can check, in light and dark mode. Throws if a page breaks one. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
  }
  const found = await page.evaluate(`({
    lang: document.documentElement.lang,
    title: document.title,
    headings: [...document.querySelectorAll('h1,h3,h4,h5,h6')].map((heading) => heading.tagName),
    mains: document.querySelectorAll('main').length,
    nameless: [...document.querySelectorAll('input:not([type=hidden]),textarea,select')].filter((field) => !field.labels.length).length,
    described: [...document.querySelectorAll('[aria-describedby]')].flatMap((field) => field.getAttribute('aria-describedby').split(' ')).filter((id) => !document.getElementById(id)),
    ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
    small: [...document.querySelectorAll('button,input:not([type=hidden]),.again,.back,.cancel,.other,.actions a,.empty a,.help a,summary')].filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44).length,
    zoomable: !/maximum-scale|user-scalable/.test(document.querySelector('meta[name=viewport]').content),
    wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    foreign: performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name !== location.origin + '/connect/inter.woff2'),
  })`)
  expect(found).toEqual({
    lang: 'en',
    title: expect.stringMatching(/\S/),
    headings: ['H1'],
    mains: 1,
    nameless: 0,
    described: [],
    ids: [...new Set((found as { ids: string[] }).ids)],
    small: 0,
    zoomable: true,
    wide: false,
    foreign: [],
  })
}
