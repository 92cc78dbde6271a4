import type { CredentialField, Scheme } from '@onward/catalog'
import type { Reach } from '@onward/runtime'
import { type Html, html } from '@onward/runtime'
import type { Page } from './page.ts'
import { logo, owner, type ShownApp } from './parts.ts'

export type ConnectForm = {
  readonly app: ShownApp & { readonly description: string; readonly help_url: string }
  readonly application: string
  readonly userId: string
  /** The URL that the form is sent to. */
  readonly action: string
  /** Where the link "Cancel" leads. */
  readonly cancel: string
  /** The token of the session, for a hidden field. */
  readonly sessionToken: string
  readonly fields: readonly CredentialField[]
  /** Whether the user signs in at the app itself. */
  readonly atProvider: boolean
  /** What the user entered before. */
  readonly entered?: Readonly<Record<string, string>>
  /** The secrets that the user entered before, sealed, and the names of their fields. Their values are not shown. */
  readonly kept?: { readonly names: ReadonlySet<string>; readonly sealed: string }
  /** The problem of each field; the key "" holds a problem of no field. */
  readonly problems?: ReadonlyMap<string, string>
  readonly status?: number
  readonly formTargets: readonly string[]
}

/** Returns the page to connect an account: with fields to fill in, or only with a button that leads to the app. */
export function connectPage(form: ConnectForm): Page {
  const { app, application, userId, action, cancel, sessionToken, fields, atProvider, kept, status = 200, formTargets } = form
  const problems = form.problems ?? new Map<string, string>()
  const title = `Connect ${app.title} to ${application}`
  const show = (field: CredentialField) =>
    fieldset(field, form.entered?.[field.name] ?? field.default, kept?.names.has(field.name) === true, problems.get(field.name))
  const main = fields.filter((field) => field.default === undefined)
  // Few users need another value than the default.
  const special = fields.filter((field) => field.default !== undefined)
  const content = html`${logo(app)}
<h1>${title}</h1>
<p>${intro(form)}</p>
<p><strong>${app.title}:</strong> ${app.description}</p>
<p>The account will belong to ${owner(userId, application)}. If this is not you, close this page.</p>
${problems.size > 0 && summary(fields, problems)}
${main.length > 0 && app.help_url !== '' && html`<p class="help"><a href="${app.help_url}" target="_blank" rel="noreferrer">How to get this from ${app.title}</a> (opens a new tab)</p>`}
<form method="post" action="${action}" autocomplete="off" novalidate>
<input type="hidden" name="_session" value="${sessionToken}">
${kept !== undefined && html`<input type="hidden" name="_kept" value="${kept.sealed}">`}
${main.map(show)}
${special.length > 0 && html`<details${special.some(({ name }) => problems.has(name)) && html` open`}><summary>More settings</summary>${special.map(show)}</details>`}
<button type="submit">${atProvider ? `Continue to ${app.title}` : 'Connect'}</button>
</form>
<a class="cancel" href="${cancel}">Cancel</a>
<p class="small">${
    atProvider
      ? `${app.title} will ask you to sign in and show you what access is granted. ${application} never sees your password.`
      : `What you enter is stored encrypted and used only to work with ${app.title} on your behalf.`
  }</p>`
  return { status, title: problems.size > 0 ? `Error: ${title}` : title, content, formTargets }
}

/**
 * Returns the origins to which the page's form may lead, as CSP sources: browsers apply the policy to each redirect after the form. A
 * provider redirects to its other hosts, so any host is allowed for it. A form for secrets is sent only to this service.
 */
export function formTargets(scheme: Scheme, reach: Reach): string[] {
  if (scheme.type === 'oauth2') return reach === 'local' ? ['https:', 'http:'] : ['https:']
  return []
}

function intro({ app: { title }, application, fields, atProvider }: ConnectForm): string {
  if (atProvider && fields.every((field) => field.default !== undefined)) return `${application} asks for access to your ${title} account.`
  if (atProvider) return `${application} asks for access to your ${title} account. First tell us which one it is.`
  return `${application} asks to work with your ${title} account.`
}

/** Takes the focus, so that a screen reader begins here. `autofocus` works without a script. */
function summary(fields: readonly CredentialField[], problems: ReadonlyMap<string, string>): Html {
  const general = problems.get('')
  const wrong = fields.filter(({ name }) => problems.has(name))
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
<p>${general ?? 'Please correct this and try again.'}</p>
${
  wrong.length > 0 &&
  html`<ul>
${wrong.map(({ name }) => html`<li><a href="#field-${name}">${problems.get(name)}</a></li>`)}
</ul>`
}
</div>`
}

function fieldset(field: CredentialField, entered: string | undefined, kept: boolean, problem: string | undefined): Html {
  const { name, title, description, help, required, secret, kind } = field
  const hint = help ?? description
  const described = [hint !== '' && `hint-${name}`, kept && `kept-${name}`, problem !== undefined && `wrong-${name}`]
    .filter(Boolean)
    .join(' ')
  const attributes = html`id="field-${name}" name="${name}" autocomplete="off" autocapitalize="off" spellcheck="false"${
    required && !kept && html` required`
  }${described !== '' && html` aria-describedby="${described}"`}${problem !== undefined && html` aria-invalid="true"`}`
  const type = secret ? 'password' : kind === 'url' ? 'url' : 'text'
  return html`<div>
<label for="field-${name}">${title}${!required && html` <span>(optional)</span>`}</label>
${hint !== '' && html`<p class="hint" id="hint-${name}">${hint}</p>`}
<input type="${type}" ${attributes}${!secret && entered !== undefined && html` value="${entered}"`}>
${kept && html`<p class="hint" id="kept-${name}">Leave this empty to use what you entered before.</p>`}
${problem !== undefined && html`<p class="wrong" id="wrong-${name}">${problem}</p>`}
</div>`
}
