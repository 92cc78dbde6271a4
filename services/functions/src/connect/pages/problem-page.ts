import { html } from './html.ts'
import { mark } from './mark.ts'
import type { Page } from './page.ts'
import type { PageProblem } from './page-problem.ts'

export function problemPage({ status, message, advice, action }: PageProblem): Page {
  const content = html`${mark('', 'bad')}
<h1>${message}</h1>
<p>${advice}</p>
${action}`
  return { status, title: message, content }
}
