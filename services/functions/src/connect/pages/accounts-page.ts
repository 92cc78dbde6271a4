import { type Html, html } from '@onward/runtime'
import type { Page } from './page.ts'
import { logo, owner, type ShownApp } from './parts.ts'

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

type Accounts = {
  readonly application: string
  readonly userId: string
  readonly accounts: readonly ShownAccount[]
  /** The app of the page, and the link to connect an account of it; undefined on the page of all apps. */
  readonly connect: { readonly app: string; readonly url: string } | undefined
  /** The page of the programs that act for the user; undefined on the page of one app. */
  readonly programs: string | undefined
  /** Where the user came from. */
  readonly back: string | undefined
}

/** Returns the page on which users see their accounts. Each account has links to the pages that change it. */
export function accountsPage({ application, userId, accounts, connect, programs, back }: Accounts): Page {
  const title = 'Your connected accounts'
  const content = html`<h1>${title}</h1>
<p>${application} can work with these accounts. They belong to ${owner(userId, application)}.</p>
${accounts.length === 0 ? html`<p class="empty">No account is connected.</p>` : html`<ul class="accounts">${accounts.map(item)}</ul>`}
${connect !== undefined && html`<a class="again" href="${connect.url}">Connect ${accounts.length > 0 && 'another account of '}${connect.app}</a>`}
${programs !== undefined && html`<p class="help"><a href="${programs}">Programs with access</a>, such as AI assistants that you have added</p>`}
${back === undefined ? html`<p class="small">You can close this window when you have finished.</p>` : html`<a class="cancel" href="${back}">Back to ${application}</a>`}`
  return { status: 200, title, content }
}

function item({ app, name, status, lastError, isDefault, url, reconnect }: ShownAccount): Html {
  const hidden = html` <span class="hidden">${name}</span>`
  return html`<li>
<div class="account">${logo(app)}<div><h2>${name}</h2><p>${app.title}${isDefault === true && ' \u00b7 used by default'}</p></div></div>
${status !== 'active' && html`<p class="wrong">${statusText(status)}${lastError !== null && html` <bdi>${lastError}</bdi>`}</p>`}
<div class="actions">
${reconnect !== undefined && html`<a${status !== 'active' && html` class="urgent"`} href="${reconnect}">Reconnect${hidden}</a>`}
<a href="${url}/rename">Rename${hidden}</a>
${isDefault === false && html`<form method="post" action="${url}/default"><button type="submit">Use by default${hidden}</button></form>`}
<a href="${url}/disconnect">Disconnect${hidden}</a>
</div>
</li>`
}

function statusText(status: 'expired' | 'reconnect_required'): string {
  return status === 'expired' ? 'The access could not be renewed so far.' : 'This account must be connected again.'
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
  readonly problem?: string | undefined
}

/** Returns the page to rename an account. */
export function renamePage({ app, name, action, cancel, problem }: Change): Page {
  const title = `Rename your ${app.title} account`
  const described = problem !== undefined && html` aria-describedby="wrong-name" aria-invalid="true"`
  const content = html`${logo(app)}
<h1>${title}</h1>
<form method="post" action="${action}" autocomplete="off" novalidate>
<div>
<label for="field-name">Name</label>
<input type="text" id="field-name" name="name" value="${name}" maxlength="200" required autofocus${described}>
${problem !== undefined && html`<p class="wrong" id="wrong-name">${problem}</p>`}
</div>
<button type="submit">Rename</button>
</form>
<a class="cancel" href="${cancel}">Cancel</a>`
  return { status: problem === undefined ? 200 : 400, title: problem === undefined ? title : `Error: ${title}`, content }
}

/** Returns the page that asks whether to disconnect an account. `problem`: the app did not revoke its access. */
export function disconnectPage({ app, application, name, action, cancel, problem }: Change): Page {
  const title = `Disconnect ${name}?`
  const content = html`${logo(app)}
<h1>${title}</h1>
${
  problem === undefined
    ? html`<p>${application} can then no longer work with this ${app.title} account. Onward ends its access at ${app.title}, where that is possible, and deletes the stored credentials.</p>`
    : html`<div class="summary" role="alert" tabindex="-1" autofocus><p>${problem}</p></div>
<p>You can disconnect it all the same. Then also end the access in the settings of ${app.title}.</p>`
}
<form method="post" action="${action}">
${problem !== undefined && html`<input type="hidden" name="force" value="true">`}
<button class="danger" type="submit">${problem === undefined ? 'Disconnect' : 'Disconnect all the same'}</button>
</form>
<a class="cancel" href="${cancel}">Cancel</a>`
  return { status: problem === undefined ? 200 : 502, title: problem === undefined ? title : `Error: ${title}`, content }
}
