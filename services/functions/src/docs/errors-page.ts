import { ERROR_HELP, ERROR_STATUS, type ErrorCode } from '@onward/contract'
import { type Html, html, raw } from '@onward/runtime'
import { docsPage } from './page.ts'

/**
 * Returns the page that explains every error code. Each code is an anchor, to which `docs_url` in error bodies leads. `root` is the path
 * before `/docs`, usually empty.
 */
export function errorsPage(root: string): string {
  const entries = (Object.keys(ERROR_HELP) as ErrorCode[]).map((code) => {
    const { meaning, remedy } = ERROR_HELP[code]
    return html`<article id="${code}">
<h2><a href="#${code}">${code}</a> <small>${ERROR_STATUS[code]}</small></h2>
<p>${meaning}</p>
<p><strong>What to do:</strong> ${linkPages(remedy, root)}</p>
</article>`
  })
  return docsPage(
    root,
    'Errors',
    html`<p>The <code>code</code> of an error is for programs and never changes its meaning. The texts in <code>error</code> and
<code>error_details</code> are for people. <code>request_id</code> finds the request in the logs of the server.</p>
${entries}`,
  )
}

/** Turns the paths of Onward's documents in a text into links. */
function linkPages(text: string, root: string): Html {
  return raw(html`${text}`.markup.replace(/\/docs\/\w+/g, (path) => html`<a href="${root}${path}">${path}</a>`.markup))
}
