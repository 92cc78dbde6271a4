import type { ErrorRequestHandler, Response } from 'express'
import { Refusal } from '../refusal.ts'

/** Markup made by `html`, so that every text in it is escaped. */
export type Html = { readonly markup: string }

type Value = Html | readonly Html[] | string | number | false | undefined

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes the values of a template, for elements and for attributes in double quotes. `false` and `undefined` become empty. */
export function html(texts: TemplateStringsArray, ...values: Value[]): Html {
  return raw(texts.map((text, i) => text + (i < values.length ? markupOf(values[i]) : '')).join(''))
}

function markupOf(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'object') return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('\n')
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** Returns markup as it is: a style, a script, or a text that is escaped already. */
export function raw(markup: string): Html {
  return { markup }
}

type Document = {
  /** The language of the page; English by default. */
  readonly language?: string
  readonly title: string
  readonly meta: Readonly<Record<string, string>>
  readonly head: readonly Html[]
  readonly body: Html
}

/** Returns an HTML document. `meta` has its elements `meta` by name; `head` follows them. */
export function renderPage({ language = 'en', title, meta, head, body }: Document): string {
  const metas = Object.entries({ viewport: 'width=device-width, initial-scale=1', ...meta })
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
${metas.map(([name, content]) => html`<meta name="${name}" content="${content}">`)}
<title>${title}</title>
${[html`<link rel="icon" href="data:,">`, ...head]}
</head>
<body>
${body}
</body>
</html>
`.markup
}

/** The headers of every page. */
export const PAGE_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' } as const

/** What `default-src` does not cover. */
const LEADS = { 'base-uri': `'none'`, 'form-action': `'none'`, 'frame-ancestors': `'none'` } as const

/**
 * Returns the Content-Security-Policy of a page. It loads from, and leads to, only the sources that are given by directive. A directive that
 * is null is left out.
 */
export function contentPolicy(sources: Readonly<Record<string, string | null>>): string {
  // The first `sources` sets the order, the second one overrides.
  const directives = Object.entries({ 'default-src': `'none'`, ...sources, ...LEADS, ...sources })
  return directives
    .filter(([, source]) => source !== null)
    .map((directive) => directive.join(' '))
    .join('; ')
}

type TakeError = (err: unknown, res: Response) => void

/** Returns a handler that reports each failure and answers it with the page that `send` sends. */
export function respondWithPages(report: TakeError, send: TakeError): ErrorRequestHandler {
  return (err, _req, res, _next) => {
    report(err, res)
    if (res.headersSent) return void res.destroy()
    if (err instanceof Refusal && err.extras.retryAfterSeconds !== undefined) res.set('Retry-After', String(err.extras.retryAfterSeconds))
    send(err, res)
  }
}

/** Redirects a browser. Express' `redirect` would also write the address into a body. */
export function redirect(res: Response, location: string): void {
  res.status(303).set('Location', location).end()
}

/** Returns the path of a public address, without a slash at its end: usually empty. */
export function pathOf(publicUrl: string | undefined): string {
  return publicUrl === undefined || publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
}
