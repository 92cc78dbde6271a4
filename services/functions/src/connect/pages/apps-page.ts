import { html } from '@onward/runtime'
import { fill, type PageTexts } from '@onward/texts'
import type { Page } from './page.ts'
import { backLink, logo, type ShownApp } from './parts.ts'

type Apps = {
  readonly application: string
  /** The apps that match `search`, with the link to connect each. */
  readonly apps: readonly (ShownApp & { readonly description: string; readonly url: string; readonly connected: boolean })[]
  readonly search: string
  /** The address of this page. */
  readonly action: string
  /** The page of accounts. */
  readonly accounts: string
  /** Tells the window that opened the page what happened; empty if nothing did. */
  readonly script: string
}

/**
 * Returns the page on which a user chooses an app to connect. It searches as the user types, and without scripts on Enter. Descriptions are
 * searched and not shown, because they are in English.
 */
export function appsPage({ application, apps, search, action, accounts, script }: Apps): Page {
  const content = ({ apps: t, accounts: { title } }: PageTexts) => html`${backLink(accounts, title)}
<h1>${t.title}</h1>
<p>${fill(t.about, { application })}</p>
<form method="get" action="${action}" role="search">
<label class="hidden" for="field-q">${t.search}</label>
<div class="search">${MAGNIFIER}<input type="search" id="field-q" name="q" value="${search}" placeholder="${t.search}" maxlength="100" autocomplete="off" spellcheck="false"></div>
</form>
<div class="empty"${apps.length > 0 && html` hidden`}><p role="status">${t.none}</p><a href="${action}">${t.clear}</a></div>
<ul class="apps-list">${apps.map(
    (app) =>
      html`<li data-about="${app.description}"><a href="${app.url}">${logo(app)}<span>${app.title}</span>${app.connected && html`<small>${t.connected}</small>`}</a></li>`,
  )}</ul>`
  return { status: 200, title: (t) => t.apps.title, kind: 'picker', content, script: script + SEARCH }
}

const MAGNIFIER = html`<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" aria-hidden="true"><circle cx="9" cy="9" r="5.5"/><path d="m13 13 4 4"/></svg>`

/** Apps whose names match come before those whose descriptions do. Apps that the server left out are not on the page, so it loads again. */
const SEARCH = `
const field = document.getElementById('field-q')
const list = document.querySelector('.apps-list')
const items = [...list.children]
const empty = document.querySelector('.empty')
const isComplete = field.defaultValue === ''
field.addEventListener('input', () => {
  const wanted = field.value.trim().toLowerCase()
  const matches = (text) => text.toLowerCase().includes(wanted)
  const named = items.filter((item) => matches(item.querySelector('span').textContent))
  const others = items.filter((item) => !named.includes(item) && matches(item.dataset.about))
  list.replaceChildren(...named, ...others)
  empty.hidden = list.children.length > 0
})
empty.querySelector('a').addEventListener('click', (event) => {
  if (!isComplete) return
  event.preventDefault()
  field.value = ''
  field.dispatchEvent(new Event('input'))
  field.focus()
})
`
