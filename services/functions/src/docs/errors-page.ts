import { ERROR_HELP, ERROR_STATUS, type ErrorCode } from '@onward/contract'

/** The style of the page: system fonts, light and dark. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f27; --soft: #565d6b; --rule: #e3e6ec; --accent: #2f5bd7; --paper: #fff; --mark: #e8eefc; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9ecf2; --soft: #a7afbf; --rule: #2d333f; --accent: #8fb0ff; --paper: #12151b; --mark: #22304f; }
}
body { margin: 0 auto; max-width: 46rem; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.25; }
a { color: var(--accent); }
article { border-top: 1px solid var(--rule); padding: 1.25rem .75rem; scroll-margin-top: 1rem; }
article:target { background: var(--mark); border-radius: .625rem; }
h2 { margin: 0; font: 600 1.0625rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
h2 a { color: inherit; text-decoration: none; }
h2 a:hover { text-decoration: underline; }
h2 small { color: var(--soft); font-weight: 400; }
p { margin: .5rem 0 0; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`

/**
 * Returns the page that explains every error code. Each code is an anchor, to which `docs_url` in error bodies leads. `root` is the path
 * before `/docs`, usually empty.
 */
export function errorsPage(root: string): string {
  const entries = (Object.keys(ERROR_HELP) as ErrorCode[]).map((code) => {
    const { meaning, remedy } = ERROR_HELP[code]
    return `<article id="${code}">
<h2><a href="#${code}">${code}</a> <small>${ERROR_STATUS[code]}</small></h2>
<p>${escapeHtml(meaning)}</p>
<p><strong>What to do:</strong> ${escapeHtml(remedy)}</p>
</article>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Errors of Onward</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<p><a href="${root}/docs">API reference</a></p>
<h1>Errors</h1>
<p>The <code>code</code> of an error is for programs and never changes its meaning. The texts in <code>error</code> and
<code>error_details</code> are for people. <code>request_id</code> finds the request in the logs of the server.</p>
${entries.join('\n')}
</main>
</body>
</html>
`
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? '')
}
