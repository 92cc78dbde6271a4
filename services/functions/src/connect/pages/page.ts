import { contentPolicy, type Html, html, raw, renderPage } from '@onward/runtime'
import { fill, type Language, PAGES, type PageTexts, type Say } from '@onward/texts'
import type { Application } from '../../db/applications.ts'
import { LOCAL_TIMES } from './parts.ts'
import { styleOf } from './style.ts'

/** How a page looks: as its application has set it. Without a `language`, the page is in the language of the browser. */
export type Look = Pick<Application, 'name' | 'connectPages'> & { readonly language: Language | null }

/** A page before it is rendered. Its texts are chosen last, in the language of the reader. */
export type Page = {
  readonly status: number
  /** Absent while the application is not known. */
  readonly look?: Look | undefined
  readonly title: Say
  readonly content: (texts: PageTexts, language: Language) => Html
  /** The page whose list of apps scrolls on its own. */
  readonly kind?: 'picker'
  /** The page's inline script. */
  readonly script?: string
  /** Where a browser without scripts is redirected at once. */
  readonly redirectTo?: string | undefined
  /** Where its form may lead besides this service, as CSP sources; `any` for every place. */
  readonly formTargets?: readonly string[] | 'any'
}

/** The response to the browser: a page or a redirect. */
export type Reply = Page | { readonly location: string }

/** Returns a page with a form. With a problem, the title says so, and the status is `status`. */
export function formPage(page: Omit<Page, 'status'>, hasProblem: boolean, status = 400): Page {
  return hasProblem ? { ...page, status, title: (t) => fill(t.error, { title: page.title(t) }) } : { ...page, status: 200 }
}

/** The path of the font of all pages, below the path of our public address. */
export const FONT_PATH = '/connect/inter.woff2'

/** Returns the application with the name that its users see. */
export function forUsers(application: Application): Application {
  return { ...application, name: application.connectPages.name ?? application.name }
}

/** Returns a reply in the look of an application, with the name that its users see. */
export function inLook(reply: Reply, application: Application, language: Language | null = null): Reply {
  const { name, connectPages } = forUsers(application)
  return 'location' in reply ? reply : { ...reply, look: { name, connectPages, language } }
}

/** The logo of an application, or else the first letter of its name. */
function brand({ name, connectPages: { logo } }: Look): Html {
  if (logo !== undefined) return html`<img src="${logo}" alt="" height="32">`
  return html`<span class="mark" aria-hidden="true">${([...name][0] ?? '').toUpperCase()}</span>`
}

/**
 * Returns the HTML document and its Content-Security-Policy, which allows its style and its script by `nonce`. `root` is the path of our public
 * address, `language` the language of the browser.
 */
export function render(
  { look, title, content, kind, script, redirectTo, formTargets = [] }: Page,
  { nonce, root, language }: { readonly nonce: string; readonly root: string; readonly language: Language },
): { document: string; policy: string } {
  const shown = look?.language ?? language
  const texts = PAGES[shown]
  const main = content(texts, shown)
  const scripts = [script ?? '', main.markup.includes('<time ') ? LOCAL_TIMES : ''].join('')
  const { logo, theme = 'reader' } = look?.connectPages ?? {}
  const document = renderPage({
    language: shown,
    title: title(texts),
    meta: { robots: 'noindex', 'color-scheme': theme === 'reader' ? 'light dark' : theme },
    head: [
      html`${redirectTo !== undefined && html`<noscript><meta http-equiv="refresh" content="0; url=${redirectTo}"></noscript>`}`,
      html`<style nonce="${nonce}">${raw(styleOf(`${root}${FONT_PATH}`, look?.connectPages))}</style>`,
    ],
    body: html`${look !== undefined && html`<header>${brand(look)}${look.name}</header>`}
<main${kind !== undefined && html` class="${kind}"`}>
${main}
</main>
${scripts !== '' && html`<script nonce="${nonce}">${raw(scripts)}</script>`}`,
  })
  const own = `'nonce-${nonce}'`
  const policy = contentPolicy({
    'style-src': own,
    'script-src': own,
    'img-src': logo?.startsWith('https:') ? `data: ${new URL(logo).origin}` : 'data:',
    'font-src': `'self'`,
    'form-action': formTargets === 'any' ? null : [`'self'`, ...formTargets].join(' '),
  })
  return { document, policy }
}
