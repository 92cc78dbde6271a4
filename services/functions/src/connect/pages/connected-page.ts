import { html } from './html.ts'
import { mark } from './mark.ts'
import type { Page } from './page.ts'

export type Connected = {
  readonly app: string
  readonly application: string
  readonly displayName: string
  readonly accountId: number
  /** Where the browser goes on to. */
  readonly back: string | undefined
}

/** Time to read that it worked, in ms. */
const CLOSE_AFTER_MS = 1_500

/** The last page: tells the window that opened it, then goes back to the application or closes itself. */
export function connectedPage({ app, application, displayName, accountId, back }: Connected, allowedOrigins: readonly string[]): Page {
  const title = `${app} is connected`
  const content = html`${mark(app, 'good')}
<h1>${title}</h1>
<p><strong>${displayName}</strong> can be used in ${application} now.</p>
${back === undefined ? html`<p>You can close this window.</p>` : html`<a class="again" href="${back}">Go back to ${application}</a>`}`
  // Without a list, any opener is told: the id is no secret, for it is of no use without the application's own credentials.
  const origins = allowedOrigins.length > 0 ? allowedOrigins : ['*']
  const script = `
const message = { authorization_id: ${accountId} }
if (window.opener) {
  for (const origin of ${scriptJson(origins)}) window.opener.postMessage(message, origin)
  ${back === undefined ? `setTimeout(() => window.close(), ${CLOSE_AFTER_MS})` : ''}
}
${back === undefined ? '' : `location.replace(${scriptJson(back)})`}
`
  return { status: 200, title, content, script, goesOnTo: back }
}

/** JSON that can't end the script it stands in. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
