import { html } from '@onward/runtime'
import { fill, type PageTexts, type Say } from '@onward/texts'
import type { Page } from './page.ts'
import { CLOSE, closeButton, fillHtml, mark, type ShownApp, type ShownUser, userName } from './parts.ts'

export type Connected = ShownUser & {
  readonly app: ShownApp
  readonly application: string
  readonly displayName: string
  readonly accountId: number
  /** What the application must send to confirm the account; undefined when it need not. */
  readonly confirmation: string | undefined
  /** Where the browser is redirected. */
  readonly back: string | undefined
  /** Where the browser is redirected instead if no window can tell the application that it must confirm the account. */
  readonly confirmAt: string | undefined
}

/** Delay before the window closes, in ms, so that the user can read the result. */
const CLOSE_AFTER_MS = 1_500
/** The BroadcastChannel to the playground of the console. If the playground answers, it confirms the account, and this page stays. */
const CHANNEL = 'onward-connect'

/**
 * Returns the last page. It sends the result to the window that opened it, if that window shows a page of an allowed origin. Then it
 * redirects to the application or closes.
 */
export function connectedPage(connected: Connected, allowedOrigins: readonly string[]): Page {
  const { app, application, displayName, accountId, confirmation, back, confirmAt } = connected
  const link = confirmAt ?? back
  const title: Say = ({ result: t }) => fill(confirmation === undefined ? t.connected : t.mustConfirm, { app: app.title, application })
  const names = { application, name: html`<strong>${displayName}</strong>`, user: userName(connected) }
  const content = (t: PageTexts) => html`${mark('good', app)}
<h1>${title(t)}</h1>
<p>${fillHtml(confirmation === undefined ? t.result.belongs : t.result.willBelong, names)}</p>
${link === undefined ? html`<p>${t.result.close}</p>${closeButton(t)}` : html`<a class="again" href="${link}">${fill(t.goBackTo, { application })}</a>`}`
  const message = `{ authorization_id: ${accountId}${confirmation === undefined ? '' : `, confirmation: ${scriptJson(confirmation)}`} }`
  const waits = confirmation !== undefined && (confirmAt !== undefined || back === undefined)
  const script = (link === undefined ? CLOSE : '') + (waits ? leaveUnlessConfirmed(allowedOrigins, back, confirmAt) : leave(back))
  return { status: 200, title, content, script: sendToOpener(message, allowedOrigins) + script, redirectTo: link }
}

/**
 * Returns the page after "Cancel" where no redirect URI was given. It sends `error` to the window that opened it, and closes. `again` is the
 * page that was cancelled.
 */
export function cancelledPage(app: ShownApp, again: string, allowedOrigins: readonly string[]): Page {
  const title: Say = (t) => fill(t.result.notConnected, { app: app.title })
  const content = (t: PageTexts) => html`${mark('cancelled', app)}
<h1>${title(t)}</h1>
<p>${t.result.cancelled} ${t.result.close}</p>
<a class="again" href="${again}">${t.tryAgain}</a>
${closeButton(t)}`
  return { status: 200, title, content, script: sendToOpener(`{ error: 'access_denied' }`, allowedOrigins) + CLOSE + leave(undefined) }
}

/** Returns the script that sends `message`, an expression, to the page that opened this window, and to the page around the frame. */
export function sendToOpener(message: string, allowedOrigins: readonly string[]): string {
  return `
const message = ${message}
if (window.opener) {
  for (const page of new Set([window.opener, window.opener.parent])) {
    for (const origin of ${scriptJson(allowedOrigins)}) page.postMessage(message, origin)
  }
}
`
}

/** Returns the script that redirects to `back`, or else closes the window. */
function leave(back: string | undefined): string {
  if (back !== undefined) return `location.replace(${scriptJson(back)})\n`
  return `if (window.opener) setTimeout(() => window.close(), ${CLOSE_AFTER_MS})\n`
}

/**
 * Returns the script that leaves the page of an account that must be confirmed. If no window could receive the message, it redirects to
 * `confirmAt`. The page stays if the console answers that it confirms the account.
 */
function leaveUnlessConfirmed(allowedOrigins: readonly string[], back: string | undefined, confirmAt: string | undefined): string {
  const hasReceiver = allowedOrigins.length === 0 ? 'false' : 'window.opener'
  return `
const next = ${hasReceiver} ? ${scriptJson(back ?? null)} : ${scriptJson(confirmAt ?? back ?? null)}
const ending = setTimeout(() => next ? location.replace(next) : window.opener && window.close(), ${CLOSE_AFTER_MS})
const channel = new BroadcastChannel(${scriptJson(CHANNEL)})
channel.onmessage = () => clearTimeout(ending)
channel.postMessage(message)
`
}

/** Returns JSON that cannot end the script element that contains it. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
