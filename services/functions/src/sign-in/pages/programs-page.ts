import { type Html, html } from '@onward/runtime'
import type { Page } from '../../connect/pages/page.ts'
import { owner } from '../../connect/pages/parts.ts'

/** A program, and what it may do. */
export type ShownProgram = {
  readonly name: string
  /** The host to which the user was sent back; undefined if the application made its token. */
  readonly host: string | undefined
  /** The titles of its apps; undefined for all. */
  readonly apps: readonly string[] | undefined
  /** The number of its functions; undefined for all functions of its apps. */
  readonly functions: number | undefined
  readonly readOnly: boolean
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
}

type Programs = {
  readonly application: string
  readonly userId: string
  readonly programs: readonly (ShownProgram & { readonly url: string })[]
  /** The page of accounts. */
  readonly accounts: string
}

/** Returns the page of the programs that can act on behalf of a user. */
export function programsPage({ application, userId, programs, accounts }: Programs): Page {
  const title = 'Programs with access'
  const content = html`<h1>${title}</h1>
<p>These programs can use ${application} on behalf of ${owner(userId, application)}.</p>
${
  programs.length === 0
    ? html`<p class="empty">No program has access.</p>`
    : html`<ul class="accounts">${programs.map(
        (program) => html`<li>
<h2>${program.name}</h2>
${facts(program)}
<div class="actions"><a href="${program.url}">Change or end<span class="hidden"> the access of ${program.name}</span></a></div>
</li>`,
      )}</ul>`
}
<a class="cancel" href="${accounts}">Your connected accounts</a>`
  return { status: 200, title, content }
}

type ProgramForm = Pick<ShownProgram, 'name' | 'readOnly'> & {
  readonly application: string
  /** The URL that the forms are sent to. */
  readonly action: string
  /** The page of programs. */
  readonly cancel: string
  /** The apps that the user can take away. */
  readonly offered: readonly { readonly name: string; readonly title: string }[]
  /** Whether the program may use all apps, also later ones. */
  readonly isWhole: boolean
  readonly problem?: string
}

/** Returns the page that narrows or ends the access of a program. */
export function programPage({ name, application, action, cancel, offered, isWhole, readOnly, problem }: ProgramForm): Page {
  const title = `Access of ${name} to ${application}`
  const some = html`<ul class="apps">${offered.map(
    (app) => html`<li><label class="option"><input type="checkbox" name="app" value="${app.name}" checked> ${app.title}</label></li>`,
  )}</ul>`
  const content = html`<h1>${title}</h1>
<p>You can take away a part of the access. To give more, add the program again.</p>
${problem !== undefined && html`<div class="summary" role="alert" tabindex="-1" autofocus><p>${problem}</p></div>`}
<form method="post" action="${action}" autocomplete="off">
${
  offered.length > 0 &&
  html`<fieldset>
<legend>Which apps it may use</legend>
${
  isWhole
    ? html`<label class="option"><input type="radio" name="which" value="all" checked> All, also those that you connect later</label>
<label class="option"><input type="radio" name="which" value="some"> Only these:</label>`
    : html`<input type="hidden" name="which" value="some">`
}
${some}
</fieldset>`
}
${
  readOnly
    ? html`<p>It can only read.</p>`
    : html`<label class="option"><input type="checkbox" name="read_only" value="true"> Only read: it cannot create, change or delete anything</label>`
}
<div class="decision">
<button type="submit" name="decision" value="narrow">Save</button>
<button class="danger" type="submit" name="decision" value="end">End the access</button>
</div>
</form>
<a class="cancel" href="${cancel}">Cancel</a>`
  return { status: problem === undefined ? 200 : 400, title: problem === undefined ? title : `Error: ${title}`, content }
}

function facts({ host, apps, functions, readOnly, expiresAt, lastUsedAt }: ShownProgram): Html {
  const what = `${readOnly ? 'Only reads, in' : 'Uses'} ${apps === undefined ? 'all apps' : apps.join(', ')}`
  const limited = functions === undefined ? '' : ` (${functions === 1 ? 'one function' : `${functions} functions`})`
  return html`<p>${what}${limited}. ${host !== undefined && html`Added from ${host}. `}Until ${day(expiresAt)}; ${
    lastUsedAt === null ? 'not used yet' : `last used on ${day(lastUsedAt)}`
  }.</p>`
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}
