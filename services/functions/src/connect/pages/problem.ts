import { type Html, html } from '@onward/runtime'
import type { Page } from './page.ts'
import { mark } from './parts.ts'

export const START_AGAIN = 'Go back to where you came from and start again.'

/** A failure that the person at the browser can act on. It is shown as a page. */
export class PageProblem extends Error {
  readonly status: number
  /** What the person can do. */
  readonly advice: string
  /** An additional element of the page, such as a link to try again. */
  readonly action: Html | undefined

  constructor(status: number, title: string, advice: string, action?: Html) {
    super(title)
    this.status = status
    this.advice = advice
    this.action = action
  }
}

export function problemPage({ status, message, advice, action }: PageProblem): Page {
  const content = html`${mark('bad')}
<h1>${message}</h1>
<p>${advice}</p>
${action}`
  return { status, title: message, content }
}
