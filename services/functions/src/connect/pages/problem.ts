import { type Html, html } from '@onward/runtime'
import { EN, type PageTexts, type Say } from '@onward/texts'
import type { Look, Page } from './page.ts'
import { CLOSE, closeButton, mark, type ShownApp } from './parts.ts'

export const START_AGAIN: Say = (t) => t.problems.startAgain

/** A failure that the person at the browser can act on. It is shown as a page. */
export class PageProblem extends Error {
  readonly status: number
  /** Set once the application is known. */
  look: Look | undefined
  /** The app that was not connected. */
  app: ShownApp | undefined
  readonly title: Say
  /** What the person can do. */
  readonly advice: Say
  /** The page's inline script. */
  script: string | undefined
  /** An additional element of the page, such as a link to try again. */
  readonly action: ((texts: PageTexts) => Html) | undefined

  constructor(status: number, title: Say, advice: Say, action?: (texts: PageTexts) => Html) {
    super(title(EN))
    this.status = status
    this.title = title
    this.advice = advice
    this.action = action
  }
}

export function cannotContinue(): PageProblem {
  return new PageProblem(400, (t) => t.problems.cannotContinue, START_AGAIN)
}

export function nothingHere(): PageProblem {
  return new PageProblem(404, (t) => t.problems.nothingHere, START_AGAIN)
}

export function problemPage({ status, look, app, title, advice, script, action }: PageProblem): Page {
  const content = (t: PageTexts) => html`${mark('bad', app)}
<h1>${title(t)}</h1>
<p>${advice(t)}</p>
${action?.(t)}
${closeButton(t)}`
  return { status, look, title, content, script: (script ?? '') + CLOSE }
}
