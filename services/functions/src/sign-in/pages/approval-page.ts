import type { ApprovalBackground, ApprovalItem } from '@onward/contract'
import { parseJson, writeJson } from '@onward/json'
import { type Html, html } from '@onward/runtime'
import { fill, type Language, type PageTexts, type Say } from '@onward/texts'
import { formPage, type Page } from '../../connect/pages/page.ts'
import { fillHtml, functionTitle, logo, mark, type ShownApp, timeText, userName } from '../../connect/pages/parts.ts'

type ApprovalForm = {
  /** The URL that the form is sent to. */
  readonly action: string
  readonly sessionToken: string
  readonly approval: ApprovalItem
  readonly app: ShownApp
  /** What the function does; undefined if it is no longer in the catalog. */
  readonly description: string | undefined
  /** Who asks, if there is no token; null for the application. */
  readonly caller: Say | null
  /** What a program with a token calls itself; null if it has not said. */
  readonly program: string | null
  readonly application: string
  readonly background: ApprovalBackground
}

/** Returns the page on which a user approves or refuses a call. */
export function approvalPage(form: ApprovalForm): Page {
  const title: Say = (t) => fill(t.approval.title, { function: visible(form.approval.function_title) })
  const content = (t: PageTexts, language: Language) => html`${logo(form.app)}
<h1>${fillHtml(t.approval.title, named(form.approval))}</h1>
${contentOf(form, t, language)}`
  return { status: 200, title, content }
}

/** The function of an approval, for a text as markup. */
function named({ function_title }: { readonly function_title: string }): { readonly function: Html } {
  return { function: functionTitle(visible(function_title)) }
}

type Texts = PageTexts['approval']

function contentOf(
  { action, sessionToken, approval, app, description, caller, program, application, background }: ApprovalForm,
  texts: PageTexts,
  language: Language,
): Html {
  const { approval: t, consent } = texts
  const { user_id, account, token, message, request, hidden_characters: hidden, files, expires_at } = approval
  const fields = fieldsOf(approval)
  const names = { app: visible(app.title), user: userName({ userId: user_id }), application: strong(application) }
  const asker = token === null ? caller && strong(visible(caller(texts))) : asking(t, token)
  const ids = namedIds(background)
  return html`<p>${asker === null ? fillHtml(t.aboutOwn, names) : fillHtml(t.about, { ...names, caller: asker })}</p>
${description !== undefined && html`<p lang="en">${visible(description)}</p>`}
${message !== null && html`<p>${visible(message)}</p>`}
<dl class="facts">
${
  token !== null &&
  html`<dt>${t.access}</dt><dd>${accessOf(t, token, application)}</dd>
${program !== null && html`<dt>${t.program}</dt><dd>${fill(consent.asItCalls, { program: visible(program) })}</dd>`}`
}
${account !== null && html`<dt>${t.account}</dt><dd>${visible(account.display_name)}</dd>`}
</dl>
${background.now !== null && nowPart(t, background.now)}
${
  fields.length > 0 &&
  html`<h2>${t.sends}</h2>
<dl class="facts">
${fields.map(([name, value]) => html`<dt>${visible(name)}</dt><dd>${sentText(name, value)}</dd>`)}
</dl>`
}
${
  ids.length > 0 &&
  html`<h2>${t.ids}</h2>
<p class="hint">${t.idsHelp}</p>
<dl class="facts">
${ids.map(
  ({ title, ids, more }) => html`<dt>${visible(title)}</dt>
${ids.map(({ id, name }) => html`<dd>${sentText(title, name === null ? id : `${id} (${name})`)}</dd>`)}
${more > 0 && html`<dd>${fill(t.moreIds, { count: more })}</dd>`}`,
)}
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
<div class="decision">
<button type="submit" name="decision" value="approve">${t.approve}</button>
<button class="plain" type="submit" name="decision" value="refuse">${t.refuse}</button>
</div>
</form>
<p class="small">${fillHtml(t.once, { time: timeText(language, new Date(expires_at), 'minute') })}</p>`
}

/** Returns the page that asks for the reason of a refusal. */
export function refusalPage({ action, sessionToken, approval }: Pick<ApprovalForm, 'action' | 'sessionToken' | 'approval'>): Page {
  const title: Say = (t) => fill(t.approval.refuseTitle, { function: visible(approval.function_title) })
  const content = ({ approval: t, connect, cancel }: PageTexts) => html`<h1>${fillHtml(t.refuseTitle, named(approval))}</h1>
<p>${t.refuseAbout}</p>
<form method="post" action="${action}" autocomplete="off">
<input type="hidden" name="_session" value="${sessionToken}">
<div>
<label for="field-reason">${t.whyNot} <span>${connect.optional}</span></label>
<p class="hint" id="hint-reason">${t.whyNotHelp}</p>
<input id="field-reason" name="reason" maxlength="500" aria-describedby="hint-reason" autofocus>
</div>
<div class="decision">
<button type="submit" name="decision" value="refuse">${t.refuse}</button>
<button class="plain" type="submit" name="decision" value="back">${cancel}</button>
</div>
</form>`
  return formPage({ title, content }, false)
}

/** Returns the parameters with at least one id whose name is known. The ids themselves are in what the call sends. */
function namedIds({ ids }: ApprovalBackground): ApprovalBackground['ids'] {
  return ids.filter((parameter) => parameter.ids.some(({ id, name }) => name !== null && name !== id))
}

/**
 * Any program can give itself any name, and an access that was added by URL has the name that its program gave itself. So the host is named that
 * the program was added from, or the token, whose name the application chose.
 */
function asking(t: Texts, token: NonNullable<ApprovalItem['token']>): Html {
  if (token.name === '') return html`${t.programEnded}`
  const host = token.redirect_host
  return host === null ? fillHtml(t.programWith, { name: strong(visible(token.name)) }) : fillHtml(t.programFrom, { host: strong(host) })
}

function accessOf(t: Texts, { name, redirect_host: host }: NonNullable<ApprovalItem['token']>, application: string): string {
  if (name === '') return t.accessEnded
  return fill(host === null ? t.accessToken : t.accessCalled, { name: visible(name), application })
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
  const until = (language: Language) => timeText(language, new Date(expires_at), 'minute')
  const next = (t: Texts, language: Language) => (state === 'used' ? html`${t.callMade}` : fillHtml(t.callAgain, { time: until(language) }))
  const content = (t: PageTexts, language: Language) => html`${mark(approved ? 'good' : 'cancelled')}
<h1>${fillHtml(text(t), named({ function_title }))}</h1>
<p>${approved ? next(t.approval, language) : t.approval.callNotMade}</p>
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
