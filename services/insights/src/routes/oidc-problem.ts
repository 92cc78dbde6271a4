import { createHash } from 'node:crypto'
import { contentPolicy, html, PAGE_HEADERS, raw, renderPage } from '@onward/runtime'

/** A failure that the person at the browser can act on. */
export type ProblemPage = { readonly status: number; readonly title: string; readonly text: readonly string[] }

/** The colours and sizes of the console's sign-in page. */
const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; padding: clamp(24px, 14vh, 160px) 16px 24px; font: 400 14px/20px system-ui, sans-serif;
  background: light-dark(#f6f7f9, #0c0f14); color: light-dark(#11151c, #e8ecf2); }
main { display: grid; gap: 12px; max-width: 400px; margin: 0 auto; padding: 32px; border-radius: 12px;
  border: 1px solid light-dark(#e2e6ec, #2a313d); background: light-dark(#ffffff, #141820); overflow-wrap: anywhere; }
h1 { margin: 0; font: 600 20px/28px system-ui, sans-serif; }
p { margin: 0; color: light-dark(#5a6473, #9aa5b5); }
a { margin-top: 12px; padding: 6px 12px; border-radius: 6px; font: 500 13px/18px system-ui, sans-serif; text-align: center; text-decoration: none;
  background: light-dark(#3b5bdb, #8aa4ff); color: light-dark(#ffffff, #0c1024); }
a:hover { background: light-dark(#2f4cc4, #a5baff); }
a:focus-visible { outline: 2px solid light-dark(#3b5bdb, #8aa4ff); outline-offset: 2px; }
@media (max-width: 480px) { main { padding: 24px; } }
`

/** The page loads nothing, and only its own style applies. */
export const PROBLEM_HEADERS = {
  ...PAGE_HEADERS,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': contentPolicy({
    'img-src': 'data:',
    'style-src': `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    'form-action': `'none'`,
  }),
}

/** Returns the page that explains a failed sign-in. It is complete in itself, so it also works without a built console. */
export function renderProblem({ title, text }: ProblemPage, signInUrl: string): string {
  return renderPage({
    title: `${title} · Onward`,
    meta: { robots: 'noindex' },
    head: [html`<style>${raw(STYLE)}</style>`],
    body: html`<main>
<h1>${title}</h1>
${text.map((each) => html`<p>${each}</p>`)}
<a href="${signInUrl}">Back to the sign-in page</a>
</main>`,
  })
}
