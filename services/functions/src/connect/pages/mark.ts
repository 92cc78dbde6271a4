import { type Html, html } from './html.ts'

/** The sign above a title: the first letter of an app, or how things ended. Says nothing to a screen reader. */
export function mark(app: string, end?: 'good' | 'bad'): Html {
  const signs = { good: '\u2713', bad: '!' }
  const sign = end === undefined ? ([...app][0] ?? '').toUpperCase() : signs[end]
  return html`<div class="mark ${end}" aria-hidden="true">${sign}</div>`
}
