import { contentPolicy, type Html, html, raw, renderPage } from '@onward/runtime'
import { EN, type PageTexts, type Say } from '@onward/texts'
import { styleOf } from './style.ts'

/** A page before it is rendered. Its texts are chosen last, in the language of the reader. */
export type Page = {
  readonly status: number
  readonly title: Say
  readonly content: (texts: PageTexts) => Html
  /** The page's inline script. */
  readonly script?: string
  /** Where a browser without scripts is redirected at once. */
  readonly redirectTo?: string | undefined
  /** Where its form may lead besides this service, as CSP sources; `any` for every place. */
  readonly formTargets?: readonly string[] | 'any'
}

/** The response to the browser: a page or a redirect. */
export type Reply = Page | { readonly location: string }

/** The path of the font of all pages, below the path of our public address. */
export const FONT_PATH = '/connect/inter.woff2'

/**
 * Returns the HTML document and its Content-Security-Policy, which allows its style and its script by `nonce`. `root` is the path of our public
 * address.
 */
export function render(
  { title, content, script, redirectTo, formTargets = [] }: Page,
  { nonce, root }: { readonly nonce: string; readonly root: string },
): { document: string; policy: string } {
  const document = renderPage({
    title: title(EN),
    meta: { robots: 'noindex', 'color-scheme': 'light dark' },
    head: [
      html`${redirectTo !== undefined && html`<noscript><meta http-equiv="refresh" content="0; url=${redirectTo}"></noscript>`}`,
      html`<style nonce="${nonce}">${raw(styleOf(`${root}${FONT_PATH}`))}</style>`,
    ],
    body: html`<main>
${content(EN)}
</main>
${script !== undefined && html`<script nonce="${nonce}">${raw(script)}</script>`}`,
  })
  const own = `'nonce-${nonce}'`
  const policy = contentPolicy({
    'style-src': own,
    'script-src': own,
    'img-src': 'data:',
    'font-src': `'self'`,
    'form-action': formTargets === 'any' ? null : [`'self'`, ...formTargets].join(' '),
  })
  return { document, policy }
}
