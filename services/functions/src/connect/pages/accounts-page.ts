import { type Html, html } from '@onward/runtime'
import { fill, type PageTexts, type Say } from '@onward/texts'
import { formPage, type Page } from './page.ts'
import { CLOSE, closeButton, fillHtml, logo, problemBox, type ShownApp, type ShownUser, userName } from './parts.ts'

export type ShownAccount = {
  readonly app: ShownApp
  readonly name: string
  readonly status: 'active' | 'expired' | 'reconnect_required'
  readonly lastError: string | null
  /** Whether calls use it by default; undefined if it is the only account of its app. */
  readonly isDefault: boolean | undefined
  /** The address of the pages and forms that change it. */
  readonly url: string
  /** The page to connect it again; undefined if the app no longer exists. */
  readonly reconnect: string | undefined
}

type Accounts = ShownUser & {
  readonly application: string
  readonly accounts: readonly ShownAccount[]
  /** The app of the page, and the link to connect an account of it; undefined on the page of all apps. */
  readonly connect: { readonly app: string; readonly url: string } | undefined
  /** The page of the programs that act for the user; undefined on the page of one app. */
  readonly programs: string | undefined
  /** The page of all apps; undefined on the page of one app. */
  readonly apps: string | undefined
  /** What was done before. */
  readonly done: Say | undefined
  /** Where the user came from. */
  readonly back: string | undefined
  /** Tells the window that opened the page what happened; empty if nothing did. */
  readonly script: string
}

/** Returns the page on which users see their accounts. Each account has links to the pages that change it. */
export function accountsPage({ application, accounts, connect, programs, apps, done, back, script, ...user }: Accounts): Page {
  const content = (texts: PageTexts) => {
    const { accounts: t } = texts
    return html`<h1>${t.title}</h1>
${done !== undefined && html`<p class="done" role="status">${done(texts)}</p>`}
<p>${fillHtml(t.about, { application, user: userName(user) })}</p>
${accounts.length === 0 ? html`<p class="empty">${t.none}</p>` : html`<ul class="accounts">${accounts.map((account) => item(t, account))}</ul>`}
${connect !== undefined && html`<a class="again" href="${connect.url}">${fill(accounts.length > 0 ? t.connectAnother : t.connect, connect)}</a>`}
${apps !== undefined && html`<a class="again" href="${apps}">${t.connectApp}</a>`}
${programs !== undefined && html`<p class="help"><a href="${programs}">${t.programs}</a><span class="hint">${t.programsHelp}</span></p>`}
${
  back === undefined
    ? html`<p class="small">${t.closeWhenDone}</p>
${closeButton(texts)}`
    : html`<a class="cancel" href="${back}">${fill(t.back, { application })}</a>`
}`
  }
  return { status: 200, title: (t) => t.accounts.title, content, script: back === undefined ? script + CLOSE : script }
}

type Texts = PageTexts['accounts']

function item(t: Texts, { app, name, status, lastError, isDefault, url, reconnect }: ShownAccount): Html {
  const about = name === app.title ? [] : [name]
  const more = isDefault === true ? [...about, t.byDefault] : about
  const hidden = html` <span class="hidden">${[app.title, ...about].join(', ')}</span>`
  return html`<li>
<div class="account">${logo(app)}<div><h2>${app.title}</h2>${more.length > 0 && html`<p>${more.join(' \u00b7 ')}</p>`}</div></div>
${status !== 'active' && html`<p class="wrong">${status === 'expired' ? t.expired : t.mustReconnect}${lastError !== null && html` <bdi>${lastError}</bdi>`}</p>`}
<div class="actions">
${reconnect !== undefined && html`<a${status !== 'active' && html` class="urgent"`} href="${reconnect}">${t.reconnect}${hidden}</a>`}
<a href="${url}/rename">${t.rename}${hidden}</a>
${isDefault === false && html`<form method="post" action="${url}/default"><button type="submit">${t.useByDefault}${hidden}</button></form>`}
<a class="end" href="${url}/disconnect">${t.disconnect}${hidden}</a>
</div>
</li>`
}

/** What the pages that change one account show. */
type Change = {
  readonly app: ShownApp
  readonly application: string
  readonly name: string
  /** The URL that the form is sent to. */
  readonly action: string
  /** The page of accounts. */
  readonly cancel: string
  readonly problem?: Say | undefined
}

/** Returns the page to rename an account. */
export function renamePage({ app, name, action, cancel, problem }: Change): Page {
  const title: Say = (t) => fill(t.accounts.renameTitle, { app: app.title })
  const described = problem !== undefined && html` aria-describedby="wrong-name" aria-invalid="true"`
  const content = (t: PageTexts) => html`${logo(app)}
<h1>${title(t)}</h1>
<form method="post" action="${action}" autocomplete="off" novalidate>
<div>
<label for="field-name">${t.accounts.name}</label>
<input type="text" id="field-name" name="name" value="${name}" maxlength="200" required autofocus${described}>
${problem !== undefined && html`<p class="wrong" id="wrong-name">${problem(t)}</p>`}
</div>
<button type="submit">${t.accounts.rename}</button>
</form>
<a class="cancel" href="${cancel}">${t.cancel}</a>`
  return formPage({ title, content }, problem !== undefined)
}

/** Returns the page that asks whether to disconnect an account. `problem`: the app did not revoke its access. */
export function disconnectPage({ app, application, name, action, cancel, problem }: Change): Page {
  const names = { app: app.title, application, name }
  const title: Say = (t) => fill(t.accounts.disconnectTitle, names)
  const content = (t: PageTexts) => html`${logo(app)}
<h1>${title(t)}</h1>
${
  problem === undefined
    ? html`<p>${fill(t.accounts.disconnectAbout, names)}</p>`
    : html`${problemBox(html`<p>${problem(t)}</p>`)}
<p>${fill(t.accounts.disconnectAnyway, names)}</p>`
}
<form method="post" action="${action}">
${problem !== undefined && html`<input type="hidden" name="force" value="true">`}
<button class="danger" type="submit">${problem === undefined ? t.accounts.disconnect : t.accounts.disconnectForce}</button>
</form>
<a class="cancel" href="${cancel}">${t.cancel}</a>`
  return formPage({ title, content }, problem !== undefined, 502)
}
