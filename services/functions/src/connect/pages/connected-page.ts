import { html } from './html.ts'
import { mark } from './mark.ts'
import type { Page } from './page.ts'

export type Connected = { readonly app: string; readonly application: string; readonly displayName: string; readonly accountId: number }

/** Time to read that it worked, in ms. */
const CLOSE_AFTER_MS = 1_500

/** The last page: tells the window that opened it, and closes itself. */
export function connectedPage({ app, application, displayName, accountId }: Connected, allowedOrigins: readonly string[]): Page {
  const title = `${app} is connected`
  const content = html`${mark(app, 'good')}
<h1>${title}</h1>
<p><strong>${displayName}</strong> can be used in ${application} now.</p>
<p>You can close this window.</p>`
  // Without a list, any opener is told: the id is no secret, for it is of no use without the application's own credentials.
  const origins = allowedOrigins.length > 0 ? allowedOrigins : ['*']
  const script = `
const message = { authorization_id: ${accountId} }
if (window.opener) {
  for (const origin of ${scriptJson(origins)}) window.opener.postMessage(message, origin)
  setTimeout(() => window.close(), ${CLOSE_AFTER_MS})
}
`
  return { status: 200, title, content, script }
}

/** JSON that can't end the script it stands in. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
