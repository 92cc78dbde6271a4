import { type Html, html, raw, renderPage } from '@onward/runtime'

/** The style of the pages: system fonts, light and dark. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f27; --soft: #565d6b; --rule: #e3e6ec; --accent: #2f5bd7; --paper: #fff; --mark: #e8eefc; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9ecf2; --soft: #a7afbf; --rule: #2d333f; --accent: #8fb0ff; --paper: #12151b; --mark: #22304f; }
}
body { margin: 0 auto; max-width: 46rem; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.25; }
h2 { margin: 2rem 0 .5rem; font-size: 1.25rem; }
h3 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
a { color: var(--accent); }
code, pre, article h2 { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { font-size: .9375em; }
pre { margin: .5rem 0; padding: .75rem; overflow-x: auto; border: 1px solid var(--rule); border-radius: .625rem; line-height: 1.45; }
dt { margin-top: 1rem; }
dd { margin: .25rem 0 0 1.25rem; color: var(--soft); }
li { margin: .5rem 0; }
article { border-top: 1px solid var(--rule); padding: 1.25rem .75rem; scroll-margin-top: 1rem; }
article:target { background: var(--mark); border-radius: .625rem; }
article h2 { margin: 0; font-size: 1.0625rem; line-height: 1.4; }
article h2 a { color: inherit; text-decoration: none; }
article h2 a:hover { text-decoration: underline; }
article h2 small { color: var(--soft); font-weight: 400; }
article p { margin: .5rem 0 0; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`

/** Returns a page of the documents. `root` is the path before `/docs`, usually empty. */
export function docsPage(root: string, title: string, content: Html): string {
  return renderPage({
    title: `${title} · Onward`,
    meta: { 'color-scheme': 'light dark' },
    head: [html`<style>${raw(STYLE)}</style>`],
    body: html`<main>
<p><a href="${root}/docs">API reference</a></p>
<h1>${title}</h1>
${content}
</main>`,
  })
}

/** Returns a block of code. */
export function block(className: string, code: string): Html {
  return html`<pre tabindex="0"><code class="${className}">${code}</code></pre>`
}
