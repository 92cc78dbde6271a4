import { html, mark, owner } from './html.ts'
import type { Page } from './page.ts'

export type Connected = {
  readonly app: string
  readonly application: string
  readonly userId: string
  readonly displayName: string
  readonly accountId: number
  /** What the application must send to confirm the account; undefined when it need not. */
  readonly confirmation: string | undefined
  /** Where the browser is redirected. */
  readonly back: string | undefined
}

/** Delay before the window closes, in ms, so that the user can read the result. */
const CLOSE_AFTER_MS = 1_500

/**
 * Returns the last page. It sends the result to the window that opened it, if that window shows a page of an allowed origin. Then it
 * redirects to the application or closes.
 */
export function connectedPage(connected: Connected, allowedOrigins: readonly string[]): Page {
  const { app, application, userId, displayName, accountId, confirmation, back } = connected
  const title = confirmation === undefined ? `${app} is connected` : `${application} must confirm this account`
  const content = html`${mark('good')}
<h1>${title}</h1>
<p>The account <strong>${displayName}</strong> ${confirmation === undefined ? 'now belongs' : 'will belong'} to ${owner(userId, application)}${confirmation !== undefined && ` when ${application} has confirmed it`}.</p>
${back === undefined ? html`<p>You can close this window.</p>` : html`<a class="again" href="${back}">Go back to ${application}</a>`}`
  const message = `{ authorization_id: ${accountId}${confirmation === undefined ? '' : `, confirmation: ${scriptJson(confirmation)}`} }`
  return { status: 200, title, content, script: resultScript(message, allowedOrigins, back), redirectTo: back }
}

/** Returns the page after "Cancel" where no redirect URI was given. It sends `error` to the window that opened it, and closes. */
export function cancelledPage(app: string, allowedOrigins: readonly string[]): Page {
  const title = `${app} was not connected`
  const content = html`${mark('cancelled')}
<h1>${title}</h1>
<p>You cancelled, so nothing was stored. You can close this window.</p>`
  return { status: 200, title, content, script: resultScript(`{ error: 'access_denied' }`, allowedOrigins, undefined) }
}

/** Returns the script that sends `message`, an expression, to the window that opened this one, then redirects to `back` or closes. */
function resultScript(message: string, allowedOrigins: readonly string[], back: string | undefined): string {
  return `
const message = ${message}
if (window.opener) {
  for (const origin of ${scriptJson(allowedOrigins)}) window.opener.postMessage(message, origin)
  ${back === undefined ? `setTimeout(() => window.close(), ${CLOSE_AFTER_MS})` : ''}
}
${back === undefined ? '' : `location.replace(${scriptJson(back)})`}
`
}

/** Returns JSON that cannot end the script element that contains it. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
