import { type App, connectFields, type Scheme } from '@onward/catalog'
import { html, mark } from './html.ts'
import type { Page } from './page.ts'

/** Returns the page on which the user chooses one of several schemes. `hrefOf` returns the link of a scheme. */
export function choicePage(app: App, application: string, schemes: readonly Scheme[], hrefOf: (scheme: Scheme) => string): Page {
  const title = `Connect ${app.title} to ${application}`
  const content = html`${mark(app.title)}
<h1>${title}</h1>
<p>How do you want to connect?</p>
<ul class="choices">
${schemes.map((scheme) => {
  const { name, hint } = describeScheme(app, scheme)
  return html`<li><a href="${hrefOf(scheme)}">${name}<small>${hint}</small></a></li>`
})}
</ul>`
  return { status: 200, title, content }
}

function describeScheme(app: App, scheme: Scheme): { name: string; hint: string } {
  const titles = connectFields(app, scheme)
    .filter(({ secret }) => secret)
    .map(({ title }) => title)
  switch (scheme.type) {
    case 'oauth2':
      return { name: `Sign in to ${app.title}`, hint: 'You allow access there; there is nothing to copy.' }
    case 'none':
      return { name: 'Without credentials', hint: 'For data that is open to everybody.' }
    case 'api_key':
      return { name: 'With an API key', hint: `A key from your ${app.title} settings.` }
    case 'bearer':
      return { name: 'With an access token', hint: `A token from your ${app.title} settings.` }
    case 'basic':
      return { name: 'With a name and a password', hint: titles.join(', ') }
    case 'custom':
      return { name: 'With keys', hint: titles.join(', ') }
    case 'oauth2_client_credentials':
      return { name: 'With client credentials', hint: 'The id and the secret of your own client.' }
    case 'oauth2_jwt_bearer':
      return { name: 'With a service account', hint: 'For administrators: the account of a program, with its private key.' }
  }
}
