import { type Html, html } from './html.ts'
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
  /** Where its form may lead besides this service, as CSP sources. */
  readonly formTargets?: readonly string[]
}

/** The response to the browser: a page or a redirect. */
export type Reply = Page | { readonly location: string }

/** Returns the HTML document. The Content-Security-Policy allows style and script by `nonce`. */
export function renderPage({ title, content, script, redirectTo }: Page, nonce: string): string {
  const raw = (markup: string): Html => ({ markup })
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${redirectTo !== undefined && html`<noscript><meta http-equiv="refresh" content="0; url=${redirectTo}"></noscript>`}
<style nonce="${nonce}">${raw(STYLE)}</style>
</head>
<body>
<main>
${content}
</main>
${script !== undefined && html`<script nonce="${nonce}">${raw(script)}</script>`}
</body>
</html>
`.markup
}

/** Returns the Content-Security-Policy of a page: only its own style and script are allowed. */
export function contentPolicy({ formTargets = [] }: Page, nonce: string): string {
  const own = `'nonce-${nonce}'`
  return [
    `default-src 'none'`,
    `style-src ${own}`,
    `script-src ${own}`,
    `img-src data:`,
    `form-action 'self' ${formTargets.join(' ')}`.trim(),
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}
