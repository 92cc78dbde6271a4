import { type App, type Scheme, schemeChoice } from '@onward/catalog'
import { html, mark, owner } from './html.ts'
import type { Page } from './page.ts'

/** Returns the page on which the user chooses one of several schemes. `hrefOf` returns the link of a scheme. */
export function choicePage(
  app: App,
  { application, userId }: { readonly application: string; readonly userId: string },
  schemes: readonly Scheme[],
  hrefOf: (scheme: Scheme) => string,
): Page {
  const title = `Connect ${app.title} to ${application}`
  const content = html`${mark(app.title)}
<h1>${title}</h1>
<p>The account will belong to ${owner(userId, application)}. How do you want to connect?</p>
<ul class="choices">
${schemes.map((scheme) => {
  const { name, hint } = schemeChoice(app, scheme)
  return html`<li><a href="${hrefOf(scheme)}">${name}<small>${hint}</small></a></li>`
})}
</ul>`
  return { status: 200, title, content }
}
