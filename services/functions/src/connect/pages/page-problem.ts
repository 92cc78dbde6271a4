import type { Html } from './html.ts'

/** A failure that the person at the browser can act on: it becomes a page. */
export class PageProblem extends Error {
  readonly status: number
  /** What to do about it. */
  readonly advice: string
  /** A further element of the page, such as a link to try again. */
  readonly action: Html | undefined

  constructor(status: number, title: string, advice: string, action?: Html) {
    super(title)
    this.status = status
    this.advice = advice
    this.action = action
  }
}
