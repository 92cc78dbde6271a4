import { type App, type Scheme, schemeChoice } from '@onward/catalog'
import { html } from '@onward/runtime'
import type { Page } from './page.ts'
import { logo, owner } from './parts.ts'

type Choice = {
  readonly app: App
  readonly icon: string | undefined
  readonly application: string
  readonly userId: string
  readonly schemes: readonly Scheme[]
  /** Where the link "Cancel" leads. */
  readonly cancel: string
  /** Returns the link of a scheme. */
  readonly hrefOf: (scheme: Scheme) => string
}

/** Returns the page on which the user chooses one of several schemes. */
export function choicePage({ app, icon, application, userId, schemes, cancel, hrefOf }: Choice): Page {
  const title = `Connect ${app.title} to ${application}`
  const content = html`${logo({ title: app.title, icon })}
<h1>${title}</h1>
<p>${application} asks for access to your ${app.title} account.</p>
<p><strong>${app.title}:</strong> ${app.description}</p>
<p>The account will belong to ${owner(userId, application)}. If this is not you, close this page.</p>
<h2>How do you want to connect?</h2>
<ul class="choices">
${schemes.map((scheme) => {
  const { name, hint } = schemeChoice(app, scheme)
  return html`<li><a href="${hrefOf(scheme)}">${name}<small>${hint}</small></a></li>`
})}
</ul>
<a class="cancel" href="${cancel}">Cancel</a>`
  return { status: 200, title, content }
}
