import type { ApprovalItem } from '@onward/contract'
import { parseJson, writeJson } from '@onward/json'
import { type Html, html } from '@onward/runtime'
import type { Page } from '../../connect/pages/page.ts'
import { logo, mark, owner } from '../../connect/pages/parts.ts'
import type { NamedIds } from '../names-of-ids.ts'

type ApprovalForm = {
  /** The URL that the form is sent to. */
  readonly action: string
  readonly sessionToken: string
  readonly approval: ApprovalItem
  /** The title of the app. */
  readonly app: string
  /** Who asks, if there is no token: the application or the console. */
  readonly caller: string
  /** What a program with a token calls itself; null if it has not said. */
  readonly program: string | null
  readonly application: string
  readonly named: readonly NamedIds[]
}

/** Returns the page on which a user approves or refuses a call. */
export function approvalPage({ action, sessionToken, approval, app, caller, program, application, named }: ApprovalForm): Page {
  const { function_title, user_id, account, token, message, request, hidden_characters: hidden, expires_at } = approval
  const fields = fieldsOf(approval)
  const title = `Approve “${visible(function_title)}”?`
  const content = html`${logo({ title: app, icon: undefined })}
<h1>${title}</h1>
<p>${asking(token, caller)} wants to call this function of ${visible(app)} on behalf of ${owner(user_id, application)}. It runs only if you approve it.</p>
${message !== null && html`<p>${visible(message)}</p>`}
<dl class="facts">
${
  token !== null &&
  html`<dt>Access</dt><dd>${accessOf(token, application)}</dd>
${program !== null && html`<dt>Program</dt><dd>${visible(program)}, as it calls itself</dd>`}`
}
${account !== null && html`<dt>Account</dt><dd>${visible(account.display_name)}</dd>`}
<dt>Request</dt>
<dd class="sent"><code>${visible(`${request.method} ${request.url}`)}</code></dd>
</dl>
${
  named.length > 0 &&
  html`<h2>What its ids stand for</h2>
<p class="hint">The names are those in the account now.</p>
<dl class="facts">
${named.map(
  ({ title, ids, more }) => html`<dt>${visible(title)}</dt>
${ids.map((each) => html`<dd class="sent">${idText(each)}</dd>`)}
${more > 0 && html`<dd>${String(more)} more are not looked up.</dd>`}`,
)}
</dl>`
}
${
  fields.length > 0 &&
  html`<h2>What it sends</h2>
<dl class="facts">
${fields.map(([name, value]) => html`<dt>${visible(name)}</dt><dd class="sent">${visible(value)}</dd>`)}
</dl>`
}
<details${fields.length === 0 && html` open`}>
<summary>The exact request</summary>
<pre tabindex="0" role="region" aria-label="The exact request">${visible(`${request.method} ${request.url}`)}
${Object.entries(request.headers).map(
  ([name, value]) => html`${visible(`${name}: ${value}`)}
`,
)}${
  request.body !== null &&
  html`
${visible(request.body)}`
}</pre>
${hidden > 0 && html`<p class="wrong">${String(hidden)} more characters of the body are not shown. If you do not know what they are, refuse.</p>`}
</details>
<form method="post" action="${action}" autocomplete="off">
<input type="hidden" name="_session" value="${sessionToken}">
<div>
<label for="field-reason">Why not <span>(optional)</span></label>
<p class="hint" id="hint-reason">The program receives your reason if you refuse.</p>
<input id="field-reason" name="reason" maxlength="500" aria-describedby="hint-reason">
</div>
<div class="decision refuse-first">
<button class="plain" type="submit" name="decision" value="refuse">Refuse</button>
<button type="submit" name="decision" value="approve">Approve this call</button>
</div>
</form>
<p class="small">The approval is good for this call alone, once, until ${timeOf(expires_at)}.</p>`
  return { status: 200, title, content }
}

/**
 * Any program can give itself any name, and an access that was added by URL has the name that its program gave itself. So the host is named that
 * the program was added from, or the token, whose name the application chose.
 */
function asking(token: ApprovalItem['token'], caller: string): Html {
  if (token === null) return html`<strong>${visible(caller)}</strong>`
  if (token.name === '') return html`A program whose access has ended`
  return token.redirect_host === null
    ? html`A program with the access <strong>${visible(token.name)}</strong>`
    : html`A program added from <strong>${token.redirect_host}</strong>`
}

function accessOf({ name, redirect_host: host }: NonNullable<ApprovalItem['token']>, application: string): Html {
  if (name === '') return html`It has ended.`
  return host === null ? html`${visible(name)}, a token of ${application}` : html`${visible(name)}, as it called itself when it was added`
}

function idText({ id, name }: NamedIds['ids'][number]): string {
  return name === id ? visible(id) : `${visible(id)} (${name === null ? 'name not known' : visible(name)})`
}

/** Returns the page after the decision. */
export function decidedPage({ state, function_title, reason, expires_at }: ApprovalItem): Page {
  const approved = state !== 'refused'
  const title = approved ? `“${visible(function_title)}” is approved` : `“${visible(function_title)}” is refused`
  const next =
    state === 'used'
      ? html`The call was made.`
      : html`Go back to the program and let it call again. It can, once, until ${timeOf(expires_at)}.`
  const content = html`${mark(approved ? 'good' : 'cancelled')}
<h1>${title}</h1>
<p>${approved ? next : html`The call is not made. The program receives your refusal.`}</p>
${reason !== null && html`<p>Reason: ${visible(reason)}</p>`}`
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

/** Returns text with escapes in place of invisible characters and of those that change the direction of text. */
function visible(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

function timeOf(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}
