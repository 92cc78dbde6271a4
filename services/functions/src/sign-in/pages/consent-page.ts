import { type Html, html } from '@onward/runtime'
import { fill, type PageTexts, type Say } from '@onward/texts'
import { formPage, type Page } from '../../connect/pages/page.ts'
import { fillHtml, functionTitle, problemBox, userName } from '../../connect/pages/parts.ts'
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
  /** The apps that the user has connected, and those that need no account. */
  readonly apps: readonly OfferedApp[]
  /** Whether the user has connected an app. */
  readonly hasConnected: boolean
  /** Whether the client asked only to read. */
  readonly onlyReads: boolean
  readonly problem?: Say
  /** What the user chose before; without it, all is allowed for 30 days. */
  readonly chosen?: Chosen
}

/** Returns the page on which a user allows a program to act on the user's behalf. */
export function consentPage(form: ConsentForm): Page {
  const { client, application, problem } = form
  const title: Say = (t) => fill(t.consent.title, { program: client.name, application })
  const content = (t: PageTexts) => html`<h1>${title(t)}</h1>
${contentOf(form, t)}`
  // The redirect URI can be on any host or have any scheme, and can redirect on. Browsers apply this policy to all of them.
  return formPage({ title, content, formTargets: 'any' }, problem !== undefined)
}

function contentOf({ action, sessionToken, client, ...form }: ConsentForm, texts: PageTexts): Html {
  const { application, userId, apps, hasConnected, onlyReads, problem, chosen } = form
  const { consent: t } = texts
  const program = isDocumentUrl(client.id)
    ? fillHtml(t.describedBy, { program: client.name, host: html`<strong>${new URL(client.id).host}</strong>` })
    : fill(t.asItCalls, { program: client.name })
  return html`<p>${fillHtml(t.about, { user: userName({ userId }), application })}</p>
${problem !== undefined && problemBox(html`<p>${problem(texts)}</p>`)}
<dl class="facts">
<dt>${t.program}</dt>
<dd>${program}</dd>
<dt>${t.sentBackTo}</dt>
<dd>${target(t, form.redirectUri)}</dd>
</dl>
<form method="post" action="${action}" autocomplete="off">
<input type="hidden" name="_session" value="${sessionToken}">
${!hasConnected && html`<p>${t.noApps}</p>`}
${apps.length > 0 && appChoice(t, apps, chosen)}
<fieldset>
<legend>${t.what}</legend>
${
  onlyReads
    ? html`<p>${t.onlyReads}</p>`
    : html`<label class="option"><input type="checkbox" name="read_only" value="true"${chosen?.readOnly === true && CHECKED}> ${t.readOnly}</label>
<label class="option"><input type="checkbox" name="asks" value="true"${chosen?.asks === true && CHECKED}> ${t.asks}</label>`
}
</fieldset>
<div>
<label for="field-days">${t.howLong}</label>
<select id="field-days" name="days">
${GRANT_DAYS.map((days) => html`<option value="${days}"${days === (chosen?.days ?? DEFAULT_DAYS) && html` selected`}>${days === 1 ? t.day : fill(t.days, { count: days })}</option>`)}
</select>
</div>
<div class="decision">
<button type="submit" name="decision" value="allow">${t.allow}</button>
<button class="plain" type="submit" name="decision" value="deny">${t.deny}</button>
</div>
</form>
<p class="small">${t.warning}</p>`
}

type Texts = PageTexts['consent']

function target(t: Texts, redirectUri: string): Html {
  const host = html`<strong>${hostOfRedirect(redirectUri)}</strong>`
  if (redirectUri.startsWith('https:')) return host
  return fillHtml(redirectUri.startsWith('http:') ? t.thisComputer : t.opensLinks, { host })
}

const CHECKED = html` checked`

/** The list is shown only when the user chooses "Only these", so that nobody unticks an app in vain. */
function appChoice(t: Texts, apps: readonly OfferedApp[], chosen: Chosen | undefined): Html {
  const some = chosen?.which === 'some'
  const option = (field: 'app' | 'function', { name, title }: Named) => {
    const isOn = chosen === undefined || (field === 'app' ? chosen.apps : chosen.functions).has(name)
    return html`<label class="option"><input type="checkbox" name="${field}" value="${name}"${isOn && CHECKED}> ${field === 'function' ? functionTitle(title) : title}</label>`
  }
  return html`<fieldset>
<legend>${t.which}</legend>
<label class="option"><input type="radio" name="which" value="all"${!some && CHECKED}> ${t.all}</label>
<label class="option"><input type="radio" name="which" value="some"${some && CHECKED}> ${t.some}</label>
<ul class="apps">
${apps.map((app) => {
  const functions = html`<details><summary>${fill(t.functionsOf, { app: app.title })}</summary>${app.functions.map((fn) => option('function', fn))}</details>`
  return html`<li>${option('app', app)}${app.functions.length > 0 && functions}</li>`
})}
</ul>
</fieldset>`
}
