import type { ApprovalBackground, ApprovalItem } from '@onward/contract'
import { parseJson, writeJson } from '@onward/json'
import { type Html, html } from '@onward/runtime'
import { fill, type PageTexts, type Say } from '@onward/texts'
import type { Page } from '../../connect/pages/page.ts'
import { fillHtml, functionTitle, logo, mark, type ShownApp, userName } from '../../connect/pages/parts.ts'

type ApprovalForm = {
  /** The URL that the form is sent to. */
  readonly action: string
  readonly sessionToken: string
  readonly approval: ApprovalItem
  readonly app: ShownApp
  /** Who asks, if there is no token: the application or the console. */
  readonly caller: string
  /** What a program with a token calls itself; null if it has not said. */
  readonly program: string | null
  readonly application: string
  readonly background: ApprovalBackground
}

/** Returns the page on which a user approves or refuses a call. */
export function approvalPage(form: ApprovalForm): Page {
  const title: Say = (t) => fill(t.approval.title, { function: visible(form.approval.function_title) })
  const content = (t: PageTexts) => html`${logo(form.app)}
<h1>${fillHtml(t.approval.title, named(form.approval))}</h1>
${contentOf(form, t)}`
  return { status: 200, title, content }
}

/** The function of an approval, for a text as markup. */
function named({ function_title }: { readonly function_title: string }): { readonly function: Html } {
  return { function: functionTitle(visible(function_title)) }
}

type Texts = PageTexts['approval']

function contentOf(
  { action, sessionToken, approval, app, caller, program, application, background }: ApprovalForm,
  texts: PageTexts,
): Html {
  const { approval: t, connect, consent } = texts
  const { user_id, account, token, message, request, hidden_characters: hidden, files, expires_at } = approval
  const fields = fieldsOf(approval)
  const names = { caller: asking(t, token, caller), app: visible(app.title), user: userName({ userId: user_id }), application }
  return html`<p>${fillHtml(t.about, names)}</p>
${message !== null && html`<p>${visible(message)}</p>`}
<dl class="facts">
${
  token !== null &&
  html`<dt>${t.access}</dt><dd>${accessOf(t, token, application)}</dd>
${program !== null && html`<dt>${t.program}</dt><dd>${fill(consent.asItCalls, { program: visible(program) })}</dd>`}`
}
${account !== null && html`<dt>${t.account}</dt><dd>${visible(account.display_name)}</dd>`}
<dt>${t.request}</dt>
<dd>${sentText(t.request, `${request.method} ${request.url}`)}</dd>
</dl>
${background.now !== null && nowPart(t, background.now)}
${
  background.ids.length > 0 &&
  html`<h2>${t.ids}</h2>
<p class="hint">${t.idsHelp}</p>
<dl class="facts">
${background.ids.map(
  ({ title, ids, more }) => html`<dt>${visible(title)}</dt>
${ids.map((each) => html`<dd>${sentText(title, idText(t, each))}</dd>`)}
${more > 0 && html`<dd>${fill(t.moreIds, { count: more })}</dd>`}`,
)}
</dl>`
}
${
  fields.length > 0 &&
  html`<h2>${t.sends}</h2>
<dl class="facts">
${fields.map(([name, value]) => html`<dt>${visible(name)}</dt><dd>${sentText(name, value)}</dd>`)}
</dl>`
}
${
  files.length > 0 &&
  html`<h2>${t.files}</h2>
<p class="hint">${t.filesHelp}</p>
<dl class="facts">
${files.map(
  ({ parameter, name, content_type: type, size, sha256 }) => html`<dt>${visible(parameter)}</dt>
<dd>${sentText(parameter, fill(t.file, { name, size, type }))}</dd>
<dd>SHA-256 <code>${sha256}</code></dd>`,
)}
</dl>`
}
<details${fields.length === 0 && html` open`}>
<summary>${t.exact}</summary>
<pre tabindex="0" role="region" aria-label="${t.exact}">${visible(requestText(request))}</pre>
${hidden > 0 && html`<p class="wrong">${fill(t.hidden, { count: hidden })}</p>`}
</details>
<form method="post" action="${action}" autocomplete="off">
<input type="hidden" name="_session" value="${sessionToken}">
<div>
<label for="field-reason">${t.whyNot} <span>${connect.optional}</span></label>
<p class="hint" id="hint-reason">${t.whyNotHelp}</p>
<input id="field-reason" name="reason" maxlength="500" aria-describedby="hint-reason">
</div>
<div class="decision refuse-first">
<button class="plain" type="submit" name="decision" value="refuse">${t.refuse}</button>
<button type="submit" name="decision" value="approve">${t.approve}</button>
</div>
</form>
<p class="small">${fillHtml(t.once, { time: timeOf(expires_at) })}</p>`
}

/**
 * Any program can give itself any name, and an access that was added by URL has the name that its program gave itself. So the host is named that
 * the program was added from, or the token, whose name the application chose.
 */
function asking(t: Texts, token: ApprovalItem['token'], caller: string): Html {
  if (token === null) return strong(visible(caller))
  if (token.name === '') return html`${t.programEnded}`
  const host = token.redirect_host
  return host === null ? fillHtml(t.programWith, { name: strong(visible(token.name)) }) : fillHtml(t.programFrom, { host: strong(host) })
}

function accessOf(t: Texts, { name, redirect_host: host }: NonNullable<ApprovalItem['token']>, application: string): string {
  if (name === '') return t.accessEnded
  return fill(host === null ? t.accessToken : t.accessCalled, { name: visible(name), application })
}

function idText(t: Texts, { id, name }: ApprovalBackground['ids'][number]['ids'][number]): string {
  return name === id ? id : `${id} (${name ?? t.nameUnknown})`
}

function strong(text: string): Html {
  return html`<strong>${text}</strong>`
}

/** What the call would change, as it is now. */
function nowPart(t: Texts, { function_title, fields, more, problem }: NonNullable<ApprovalBackground['now']>): Html {
  if (problem !== null) return html`<h2>${t.now}</h2><p class="wrong">${fill(t.notRead, { problem: visible(problem) })}</p>`
  return html`<h2>${t.now}</h2>
<p class="hint">${fillHtml(t.nowHelp, named({ function_title }))}</p>
${fields.length === 0 && html`<p>${t.noFields}</p>`}
<dl class="facts">
${fields.map(({ name, value }) => html`<dt>${visible(name)}</dt><dd>${sentText(name, value)}</dd>`)}
</dl>
${more > 0 && html`<p class="hint">${fill(t.moreFields, { count: more })}</p>`}`
}

/** Returns the page after the decision. */
export function decidedPage({ state, function_title, reason, expires_at }: ApprovalItem): Page {
  const approved = state !== 'refused'
  const text = ({ approval: t }: PageTexts) => (approved ? t.approved : t.refused)
  const title: Say = (t) => fill(text(t), { function: visible(function_title) })
  const next = (t: Texts) => (state === 'used' ? html`${t.callMade}` : fillHtml(t.callAgain, { time: timeOf(expires_at) }))
  const content = (t: PageTexts) => html`${mark(approved ? 'good' : 'cancelled')}
<h1>${fillHtml(text(t), named({ function_title }))}</h1>
<p>${approved ? next(t.approval) : t.approval.callNotMade}</p>
${reason !== null && html`<p>${fill(t.approval.reason, { reason: visible(reason) })}</p>`}`
  return { status: 200, title, content }
}

/** Returns the fields of a JSON body, by name; none for any other body. */
function fieldsOf({ request: { body }, hidden_characters }: ApprovalItem): [string, string][] {
  if (body === null || hidden_characters > 0 || !body.startsWith('{')) return []
  try {
    return Object.entries(parseJson(body) as object).map(([name, value]) => [name, typeof value === 'string' ? value : writeJson(value)])
  } catch {
    return []
  }
}

/** Returns the request as it is sent, with its lines as a browser shows them. */
function requestText({ method, url, headers, body }: ApprovalItem['request']): string {
  const head = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  return [...head, ...(body === null ? [] : ['', body.replaceAll('\r\n', '\n')])].join('\n')
}

/** Returns a value. A long one scrolls, so it can be reached by keyboard. */
function sentText(name: string, text: string): Html {
  const isLong = text.length > LONG || text.split('\n').length > LONG_LINES
  return isLong
    ? html`<div class="sent" tabindex="0" role="region" aria-label="${visible(name)}">${visible(text)}</div>`
    : html`<div class="sent">${visible(text)}</div>`
}

/** Values up to this length have no more lines than there is room for, also on a small phone. */
const LONG = 150
const LONG_LINES = 4

/** Returns text with escapes in place of invisible characters and of those that change the direction of text. */
function visible(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

function timeOf(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}
