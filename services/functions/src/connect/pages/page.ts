import { contentPolicy, type Html, html, raw, renderPage } from '@onward/runtime'
import { STYLE } from './style.ts'

/** A page before it is rendered. */
export type Page = {
  readonly status: number
  readonly title: string
  readonly content: Html
  /** The page's inline script. */
  readonly script?: string
  /** Where a browser without scripts is redirected at once. */
  readonly redirectTo?: string | undefined
  /** Where its form may lead besides this service, as CSP sources; `any` for every place. */
  readonly formTargets?: readonly string[] | 'any'
}

/** The response to the browser: a page or a redirect. */
export type Reply = Page | { readonly location: string }

/** Returns the HTML document and its Content-Security-Policy, which allows its style and its script by `nonce`. */
export function render(
  { title, content, script, redirectTo, formTargets = [] }: Page,
  nonce: string,
): { document: string; policy: string } {
  const document = renderPage({
    title,
    meta: { robots: 'noindex', 'color-scheme': 'light dark' },
    head: [
      html`${redirectTo !== undefined && html`<noscript><meta http-equiv="refresh" content="0; url=${redirectTo}"></noscript>`}`,
      html`<style nonce="${nonce}">${raw(STYLE)}</style>`,
    ],
    body: html`<main>
${content}
</main>
${script !== undefined && html`<script nonce="${nonce}">${raw(script)}</script>`}`,
  })
  const own = `'nonce-${nonce}'`
  const policy = contentPolicy({
    'style-src': own,
    'script-src': own,
    'img-src': 'data:',
    'form-action': formTargets === 'any' ? null : [`'self'`, ...formTargets].join(' '),
  })
  return { document, policy }
}
