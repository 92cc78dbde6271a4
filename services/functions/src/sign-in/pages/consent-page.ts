import { type Html, html } from '@onward/runtime'
import type { Page } from '../../connect/pages/page.ts'
import { logo, owner } from '../../connect/pages/parts.ts'
import { isDocumentUrl } from '../client-documents.ts'
import { hostOfRedirect } from '../redirects.ts'

/** For how many days a user can allow access. */
export const GRANT_DAYS = [1, 7, 30, 90, 365] as const
const DEFAULT_DAYS = 30

type Named = { readonly name: string; readonly title: string }
/** An app, and its functions if the user can choose among them. */
export type OfferedApp = Named & { readonly functions: readonly Named[] }

/** What the user has chosen in the form. */
export type Chosen = {
  readonly which: 'all' | 'some'
  readonly apps: ReadonlySet<unknown>
  readonly functions: ReadonlySet<unknown>
  readonly readOnly: boolean
  /** Whether each call that is not known only to read asks the user first. */
  readonly asks: boolean
  readonly days: number
}

export type ConsentForm = {
  /** The URL that the form is sent to. */
  readonly action: string
  readonly sessionToken: string
  readonly client: { readonly id: string; readonly name: string }
  readonly redirectUri: string
  readonly application: string
  readonly userId: string
  /** The apps that the user has connected. */
  readonly apps: readonly OfferedApp[]
  /** Whether the client asked only to read. */
  readonly onlyReads: boolean
  readonly problem?: string
  /** What the user chose before; without it, all is allowed for 30 days. */
  readonly chosen?: Chosen
}

/** Returns the page on which a user allows a program to act on the user's behalf. */
export function consentPage(form: ConsentForm): Page {
  const { action, sessionToken, client, application, userId, apps, onlyReads, problem, chosen } = form
  const title = `Give ${client.name} access to ${application}?`
  const content = html`${logo({ title: application, icon: undefined })}
<h1>${title}</h1>
<p>It will act on behalf of ${owner(userId, application)}. If this is not you, close this page.</p>
${problem !== undefined && html`<div class="summary" role="alert" tabindex="-1" autofocus><p>${problem}</p></div>`}
<dl class="facts">
<dt>Program</dt>
<dd>${client.name}${isDocumentUrl(client.id) ? html`, as described by <strong>${new URL(client.id).host}</strong>` : ', as it calls itself'}</dd>
<dt>You will be sent back to</dt>
<dd>${target(form.redirectUri)}</dd>
</dl>
<form method="post" action="${action}" autocomplete="off">
<input type="hidden" name="_session" value="${sessionToken}">
${appChoice(apps, chosen)}
<fieldset>
<legend>What it may do</legend>
${
  onlyReads
    ? html`<p>It asks only to read. It cannot create, change or delete anything.</p>`
    : html`<label class="option"><input type="checkbox" name="read_only" value="true"${chosen?.readOnly === true && CHECKED}> Only read: it cannot create, change or delete anything</label>
<label class="option"><input type="checkbox" name="asks" value="true"${chosen?.asks === true && CHECKED}> Ask me before it creates or changes anything</label>`
}
</fieldset>
<div>
<label for="field-days">How long</label>
<select id="field-days" name="days">
${GRANT_DAYS.map((days) => html`<option value="${days}"${days === (chosen?.days ?? DEFAULT_DAYS) && html` selected`}>${days === 1 ? '1 day' : `${days} days`}</option>`)}
</select>
</div>
<div class="decision">
<button type="submit" name="decision" value="allow">Allow</button>
<button class="plain" type="submit" name="decision" value="deny">Do not allow</button>
</div>
</form>
<p class="small">Allow it only if you have just started this in the program yourself. You can end the access at any time on the page of your accounts.</p>`
  // The redirect URI can be on any host or have any scheme, and can redirect on. Browsers apply this policy to all of them.
  return {
    status: problem === undefined ? 200 : 400,
    title: problem === undefined ? title : `Error: ${title}`,
    content,
    formTargets: 'any',
  }
}

function target(redirectUri: string): Html {
  const host = hostOfRedirect(redirectUri)
  if (redirectUri.startsWith('https:')) return html`<strong>${host}</strong>`
  if (redirectUri.startsWith('http:')) return html`a program on <strong>this computer</strong> (${host})`
  return html`the program on this computer that opens <strong>${host}</strong> links`
}

const CHECKED = html` checked`

/** The list is shown only when the user chooses "Only these", so that nobody unticks an app in vain. */
function appChoice(apps: readonly OfferedApp[], chosen: Chosen | undefined): Html {
  if (apps.length === 0) {
    return html`<p>You have connected no app yet. The program will give you a link when it needs one, and can then use the app.</p>`
  }
  const some = chosen?.which === 'some'
  const option = (field: 'app' | 'function', { name, title }: Named) => {
    const isOn = chosen === undefined || (field === 'app' ? chosen.apps : chosen.functions).has(name)
    return html`<label class="option"><input type="checkbox" name="${field}" value="${name}"${isOn && CHECKED}> ${title}</label>`
  }
  return html`<fieldset>
<legend>Which apps it may use</legend>
<label class="option"><input type="radio" name="which" value="all"${!some && CHECKED}> All, also those that you connect later</label>
<label class="option"><input type="radio" name="which" value="some"${some && CHECKED}> Only these:</label>
<ul class="apps">
${apps.map((app) => {
  const functions = html`<details><summary>Functions of ${app.title}</summary>${app.functions.map((fn) => option('function', fn))}</details>`
  return html`<li>${option('app', app)}${app.functions.length > 0 && functions}</li>`
})}
</ul>
</fieldset>`
}
