import type { CredentialField, Scheme } from '@onward/catalog'
import type { Reach } from '@onward/runtime'
import { type Html, html, mark, owner } from './html.ts'
import type { Page } from './page.ts'

export type ConnectForm = {
  readonly app: string
  readonly application: string
  readonly userId: string
  /** The URL that the form is sent to. */
  readonly action: string
  readonly session: string
  readonly fields: readonly CredentialField[]
  /** Whether the user signs in at the app itself. */
  readonly atProvider: boolean
  /** What the user entered before. Secrets are not shown again. */
  readonly entered?: Readonly<Record<string, string>>
  /** The problem of each field; the key "" holds a problem of no field. */
  readonly problems?: ReadonlyMap<string, string>
  readonly status?: number
  readonly formTargets: readonly string[]
}

/** Returns the page to connect an account: with fields to fill in, or only with a button that leads to the app. */
export function connectPage(form: ConnectForm): Page {
  const { app, application, userId, action, session, fields, atProvider, status = 200, formTargets } = form
  const problems = form.problems ?? new Map<string, string>()
  const title = `Connect ${app} to ${application}`
  const show = (field: CredentialField) => fieldset(field, form.entered?.[field.name] ?? field.default, problems.get(field.name))
  const main = fields.filter((field) => field.default === undefined)
  // Few users need another value than the default.
  const special = fields.filter((field) => field.default !== undefined)
  const content = html`${mark(app)}
<h1>${title}</h1>
<p>${intro(form)}</p>
<p>The account will belong to ${owner(userId, application)}. If this is not you, close this page.</p>
${problems.size > 0 && summary(fields, problems)}
<form method="post" action="${action}" autocomplete="off" novalidate>
<input type="hidden" name="_session" value="${session}">
${main.map(show)}
${special.length > 0 && html`<details${special.some(({ name }) => problems.has(name)) && html` open`}><summary>More settings</summary>${special.map(show)}</details>`}
<button type="submit">${atProvider ? `Continue to ${app}` : 'Connect'}</button>
</form>
<p class="small">${
    atProvider
      ? `${app} will ask you to sign in and show you what access is granted. ${application} never sees your password.`
      : `What you enter is stored encrypted and used only to work with ${app} on your behalf.`
  }</p>`
  return { status, title: problems.size > 0 ? `Error: ${title}` : title, content, formTargets }
}

/**
 * Returns the origins to which the page's form may lead, as CSP sources: browsers apply the policy to each redirect after the form. A
 * provider redirects to other hosts of its own, so any host is allowed for it. A form for secrets is sent only to this service.
 */
export function formTargets(scheme: Scheme, reach: Reach): string[] {
  if (scheme.type === 'oauth2') return reach === 'local' ? ['https:', 'http:'] : ['https:']
  return []
}

function intro({ app, application, fields, atProvider }: ConnectForm): string {
  if (atProvider && fields.every((field) => field.default !== undefined)) return `${application} asks for access to your ${app} account.`
  if (atProvider) return `${application} asks for access to your ${app} account. First tell us which one it is.`
  return `With this, ${application} can work with your ${app} account.`
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

function fieldset(field: CredentialField, entered: string | undefined, problem: string | undefined): Html {
  const { name, title, description, required, secret, kind } = field
  const described = [description !== '' && `hint-${name}`, problem !== undefined && `wrong-${name}`].filter(Boolean).join(' ')
  const attributes = html`id="field-${name}" name="${name}" autocomplete="off" autocapitalize="off" spellcheck="false"${
    required && html` required`
  }${described !== '' && html` aria-describedby="${described}"`}${problem !== undefined && html` aria-invalid="true"`}`
  const type = secret ? 'password' : kind === 'url' ? 'url' : 'text'
  return html`<div>
<label for="field-${name}">${title}${!required && html` <span>(optional)</span>`}</label>
${description !== '' && html`<p class="hint" id="hint-${name}">${description}</p>`}
${
  kind === 'lines'
    ? html`<textarea ${attributes} rows="6"></textarea>`
    : html`<input type="${type}" ${attributes}${!secret && entered !== undefined && html` value="${entered}"`}>`
}
${problem !== undefined && html`<p class="wrong" id="wrong-${name}">${problem}</p>`}
</div>`
}
