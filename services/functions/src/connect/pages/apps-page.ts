import { html } from '@onward/runtime'
import { fill, type PageTexts } from '@onward/texts'
import type { Page } from './page.ts'
import { backLink, logo, type ShownApp } from './parts.ts'

type Apps = {
  readonly application: string
  /** The apps that match `search`, with the link to connect each. */
  readonly apps: readonly (ShownApp & { readonly url: string; readonly connected: boolean })[]
  readonly search: string
  /** The address of this page. */
  readonly action: string
  /** The page of accounts. */
  readonly accounts: string
}

/** Returns the page on which a user chooses an app to connect. It searches as the user types, and without scripts on Enter. */
export function appsPage({ application, apps, search, action, accounts }: Apps): Page {
  const content = ({ apps: t, accounts: { title } }: PageTexts) => html`${backLink(accounts, title)}
<h1>${t.title}</h1>
<p>${fill(t.about, { application })}</p>
<form method="get" action="${action}" role="search">
<div>
<label for="field-q">${t.search}</label>
<input type="search" id="field-q" name="q" value="${search}" maxlength="100" autocomplete="off" spellcheck="false">
</div>
</form>
<p class="empty" role="status"${apps.length > 0 && html` hidden`}>${t.none}</p>
<ul class="apps-list">${apps.map(
    (app) =>
      html`<li><a href="${app.url}">${logo(app)}<span>${app.title}</span>${app.connected && html`<small>${t.connected}</small>`}</a></li>`,
  )}</ul>`
  return { status: 200, title: (t) => t.apps.title, content, script: SEARCH }
}

const SEARCH = `
const field = document.getElementById('field-q')
const items = [...document.querySelectorAll('.apps-list li')]
field.addEventListener('input', () => {
  const wanted = field.value.trim().toLowerCase()
  for (const item of items) item.hidden = !item.querySelector('span').textContent.toLowerCase().includes(wanted)
  document.querySelector('.empty').hidden = items.some((item) => !item.hidden)
})
`
