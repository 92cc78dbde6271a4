import { type Html, html } from './html.ts'
import { STYLE } from './style.ts'

/** A page before it is sent. */
export type Page = {
  readonly status: number
  readonly title: string
  readonly content: Html
  /** A script of the page's own. */
  readonly script?: string
  /** Where a browser without scripts goes on to at once. */
  readonly goesOnTo?: string | undefined
  /** Where its form may lead besides ourselves, as CSP sources. */
  readonly formTargets?: readonly string[]
}

/** What the browser gets: a page, or the address it is sent on to. */
export type Reply = Page | { readonly location: string }

/** A whole document. `nonce` is what the Content-Security-Policy lets style and script pass by. */
export function renderPage({ title, content, script, goesOnTo }: Page, nonce: string): string {
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
${goesOnTo !== undefined && html`<noscript><meta http-equiv="refresh" content="0; url=${goesOnTo}"></noscript>`}
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

/** The policy of a page: nothing from anywhere, but its own style and script. */
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
