import type { CredentialField, Scheme } from '@onward/catalog'
import { type Html, html, type Reach } from '@onward/runtime'
import { fill, type PageTexts, type Say } from '@onward/texts'
import type { AppText } from '@onward/texts/apps'
import { formPage, type Page } from './page.ts'
import { appText, fillHtml, logo, problemBox, type ShownApp, type ShownUser, userName } from './parts.ts'
import { type ShownScopes, scopeList } from './scope-list.ts'

/** A field of the form, in the language of the page. */
export type ShownField = Omit<CredentialField, 'title' | 'description' | 'help'> & { readonly title: AppText; readonly hint: AppText }

export type ConnectForm = ShownUser & {
  readonly app: ShownApp & { readonly help_url: string }
  readonly application: string
  /** The URL that the form is sent to. */
  readonly action: string
  /** Where the link "Cancel" leads. */
  readonly cancel: string
  /** The token of the session, for a hidden field. */
  readonly sessionToken: string
  readonly fields: readonly ShownField[]
  /** Whether the user signs in at the app itself. */
  readonly atProvider: boolean
  /** What the user allows at the app. */
  readonly scopes: ShownScopes
  /** The other ways to connect, with their links. */
  readonly ways: readonly { readonly type: Scheme['type']; readonly url: string }[]
  /** What the user entered before. */
  readonly entered?: Readonly<Record<string, string>>
  /** The secrets that the user entered before, sealed, and the names of their fields. Their values are not shown. */
  readonly kept?: { readonly names: ReadonlySet<string>; readonly sealed: string }
  /** The problem of each field; the key "" holds a problem of no field. */
  readonly problems?: ReadonlyMap<string, Say>
  readonly status?: number
  readonly formTargets: readonly string[]
}

/** Returns the page to connect an account: with fields to fill in, or only with a button that leads to the app. */
export function connectPage(form: ConnectForm): Page {
  const { app, application, problems, status, formTargets } = form
  const title: Say = (t) => fill(t.connect.title, { app: app.title, application })
  // A line breaks between names rather than within them.
  const name = (text: string) => html`<span class="name">${text}</span>`
  const content = (t: PageTexts) => html`${logo(app)}
<h1>${fillHtml(t.connect.title, { app: name(app.title), application: name(application) })}</h1>
${contentOf(form, t)}`
  return formPage({ title, content, script: REVEAL, formTargets }, problems !== undefined, status)
}

function contentOf(form: ConnectForm, t: PageTexts): Html {
  const { app, application, action, cancel, sessionToken, fields, atProvider, scopes, ways, kept, problems } = form
  const names = { app: app.title, application }
  const show = (field: ShownField) => {
    const entered = form.entered?.[field.name] ?? field.default
    return fieldset(t, field, entered, kept?.names.has(field.name) === true, problems?.get(field.name)?.(t))
  }
  const main = fields.filter((field) => field.default === undefined)
  // Few users need another value than the default.
  const special = fields.filter((field) => field.default !== undefined)
  const isOpen = special.some(({ name }) => problems?.has(name))
  const isRefused = problems?.has('') === true
  return html`<p>${fill(atProvider ? t.connect.signIn : t.connect.enter, names)}</p>
${problems !== undefined && summary(t, fields, problems)}
${atProvider && scopeList(t, names, scopes)}
${main.length > 0 && app.help_url !== '' && html`<p class="help"><a href="${app.help_url}" target="_blank" rel="noreferrer">${fill(t.connect.help, names)} <span aria-hidden="true">\u2197</span><span class="hidden">${t.connect.newTab}</span></a></p>`}
<form method="post" action="${action}" autocomplete="off" novalidate>
<input type="hidden" name="_session" value="${sessionToken}">
${kept !== undefined && html`<input type="hidden" name="_kept" value="${kept.sealed}">`}
${main.map(show)}
${special.length > 0 && html`<details${isOpen && html` open`}><summary>${t.connect.moreSettings}</summary>${special.map(show)}</details>`}
<button type="submit">${isRefused ? t.tryAgain : atProvider ? fill(t.connect.continueWith, names) : t.connect.button}</button>
</form>
${ways.map(({ type, url }) => html`<a class="other" href="${url}">${fill(t.connect.ways[type], names)}</a>`)}
<a class="cancel" href="${cancel}">${t.cancel}</a>
<p class="small">${fillHtml(t.connect.who, { ...names, user: userName(form) })}</p>`
}

/**
 * Returns the origins to which the page's form may lead, as CSP sources: browsers apply the policy to each redirect after the form. A
 * provider redirects to its other hosts, so any host is allowed for it. A form for secrets is sent only to this service.
 */
export function formTargets(scheme: Scheme, reach: Reach): string[] {
  if (scheme.type === 'oauth2') return reach === 'local' ? ['https:', 'http:'] : ['https:']
  return []
}

function summary(t: PageTexts, fields: readonly ShownField[], problems: ReadonlyMap<string, Say>): Html {
  const wrong = fields.filter(({ name }) => problems.has(name))
  return problemBox(html`
<p>${problems.get('')?.(t) ?? t.connect.correct}</p>
${
  wrong.length > 0 &&
  html`<ul>
${wrong.map(({ name }) => html`<li><a href="#field-${name}">${problems.get(name)?.(t)}</a></li>`)}
</ul>`
}
`)
}

/** Password managers leave fields with these attributes alone. What belongs into them is no password of this site. */
const UNMANAGED = html`autocomplete="off" autocapitalize="off" spellcheck="false" data-1p-ignore data-bwignore data-lpignore="true" data-form-type="other"`

function fieldset(t: PageTexts, field: ShownField, entered: string | undefined, kept: boolean, problem: string | undefined): Html {
  const { name, title, hint, required, secret, kind } = field
  const described = [hint.text !== '' && `hint-${name}`, kept && `kept-${name}`, problem !== undefined && `wrong-${name}`]
    .filter(Boolean)
    .join(' ')
  const attributes = html`id="field-${name}" name="${name}" ${UNMANAGED}${required && !kept && html` required`}${
    described !== '' && html` aria-describedby="${described}"`
  }${problem !== undefined && html` aria-invalid="true"`}`
  // Browsers offer to store what is entered into the type `password`, unless a style hides the characters.
  const type = secret && name === 'password' ? 'password' : kind === 'url' ? 'url' : 'text'
  const input = html`<input type="${type}" ${attributes}${secret && html` class="secret"`}${kept && html` placeholder="••••••••••••"`}${
    !secret && entered !== undefined && html` value="${entered}"`
  }>`
  return html`<div>
<label for="field-${name}">${appText(title)}${!required && html` <span>${t.connect.optional}</span>`}</label>
${hint.text !== '' && html`<p class="hint" id="hint-${name}">${appText(hint)}</p>`}
${secret ? html`<div class="reveal">${input}${revealButton(t, title.text)}</div>` : input}
${kept && html`<p class="hidden" id="kept-${name}">${t.connect.entered}</p>`}
${problem !== undefined && html`<p class="wrong" id="wrong-${name}">${problem}</p>`}
</div>`
}

/** The script shows it, because it does nothing without the script. */
function revealButton(t: PageTexts, field: string): Html {
  const { show, hide, showField, hideField } = t.connect
  const labels = { show: fill(showField, { field }), hide: fill(hideField, { field }) }
  return html`<button type="button" hidden aria-label="${labels.show}" data-text="${hide}" data-label="${labels.hide}">${show}</button>`
}

const REVEAL = `
for (const button of document.querySelectorAll('.reveal button')) {
  const input = button.previousElementSibling
  button.hidden = false
  button.addEventListener('click', () => {
    const { text, label } = button.dataset
    Object.assign(button.dataset, { text: button.textContent, label: button.ariaLabel })
    Object.assign(button, { textContent: text, ariaLabel: label })
    input.classList.toggle('shown')
    if (input.name === 'password') input.type = input.type === 'password' ? 'text' : 'password'
  })
}
`
