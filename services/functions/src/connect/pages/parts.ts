import { type Html, html } from '@onward/runtime'
import { type Language, type PageTexts, split, valueNamed } from '@onward/texts'
import type { AppText } from '@onward/texts/apps'

/** Returns a text from outside as one line of at most `max` characters. */
export function plainText(text: string, max: number): string {
  // Removes control characters, and direction marks that could make the text after it appear backwards.
  const plain = text.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
  return [...plain].slice(0, max).join('').trim()
}

/** Returns a text as markup, with values in place of its names in braces. */
export function fillHtml(text: string, values: Readonly<Record<string, Html | string | number>>): Html {
  const parts = split(text).map((part, at) => html`${at % 2 === 0 ? part : valueNamed(values, part)}`)
  return { markup: parts.map(({ markup }) => markup).join('') }
}

/** Returns a text of an app file as markup that says its language, if that is not the language of the page. */
export function appText({ text, lang }: AppText): Html | string {
  return lang === undefined ? text : html`<bdi lang="${lang}">${text}</bdi>`
}

/** Returns the title of a function as markup that says its language: functions have their titles in English on all pages. */
export function functionTitle(title: string): Html {
  return html`<bdi lang="en">${title}</bdi>`
}

const MAX_USER = 60

/** A user as pages show them: by the name that the application gave, if any. */
export type ShownUser = { readonly userId: string; readonly userName?: string | null }

/** Returns markup that names the user of an account. It shows a person who opened the link of another user that it is not their own. */
export function userName({ userId, userName: given }: ShownUser): Html {
  const name = given?.trim() || userId
  const shown = plainText(name, MAX_USER)
  return html`<strong><bdi>${shown.length < name.length ? `${shown}\u2026` : shown}</bdi></strong>`
}

/** A check mark, an exclamation mark and a dash. */
const SIGNS = { good: 'm5 10.5 3.5 3.5 6.5-8', bad: 'M10 4.5v6.5m0 4.25v.01', cancelled: 'M5.5 10h9' }

/** The sign of a result above a title, on the logo of the app if the result is about one. Screen readers skip it. */
export function mark(result: keyof typeof SIGNS, app?: ShownApp): Html {
  const sign = html`<div class="mark ${result}" aria-hidden="true"><svg viewBox="0 0 20 20" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round"><path d="${SIGNS[result]}"/></svg></div>`
  return app === undefined ? sign : html`<div class="result">${logo(app)}${sign}</div>`
}

/** What the pages show of an app. `icon` is the URL of its logo, if there is one. */
export type ShownApp = { readonly title: string; readonly icon: string | undefined }

/** The logo of an app, or else the first letter of its name. Screen readers skip it, because the name stands beside it. */
export function logo({ title, icon }: ShownApp): Html {
  if (icon !== undefined) return html`<div class="mark logo"><img src="${icon}" alt="" width="32" height="32"></div>`
  return html`<div class="mark" aria-hidden="true">${([...title][0] ?? '').toUpperCase()}</div>`
}

/** The way back to a page, above the title, where it needs no scrolling. */
export function backLink(href: string, text: string): Html {
  return html`<a class="back" href="${href}"><span aria-hidden="true">\u2190</span> ${text}</a>`
}

/** The button that closes the window. The script `CLOSE` shows it if it works. */
export function closeButton({ accounts: t }: PageTexts): Html {
  return html`<button class="plain" type="button" id="leave" hidden>${t.closeWindow}</button>`
}

/** Browsers close only windows that a page has opened. */
export const CLOSE = `
const leave = document.getElementById('leave')
leave.hidden = !window.opener
leave.onclick = () => window.close()
`

const DAY = { year: 'numeric', month: 'long', day: 'numeric' } as const
const MINUTE = { ...DAY, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const

/** Returns a time in the language of a page, in UTC. The script `LOCAL_TIMES` then shows it in the zone of the reader. */
export function timeText(language: Language, time: Date, as: 'day' | 'minute'): Html {
  const shown = new Intl.DateTimeFormat(language, { ...(as === 'day' ? DAY : MINUTE), timeZone: 'UTC' }).format(time)
  return html`<time datetime="${time.toISOString()}" data-as="${as}">${shown}</time>`
}

/** Only the browser knows the zone and the region of the reader. The language stays that of the page. */
export const LOCAL_TIMES = `{
const page = document.documentElement.lang
const locale = navigator.languages.find((each) => each.split('-')[0] === page) ?? page
const formats = ${JSON.stringify({ day: DAY, minute: MINUTE })}
for (const time of document.querySelectorAll('time'))
  time.textContent = new Intl.DateTimeFormat(locale, formats[time.dataset.as]).format(new Date(time.dateTime))
}`

/** A problem above a form. It takes the focus, so that a screen reader begins here. `autofocus` works without a script. */
export function problemBox(content: Html): Html {
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>${content}</div>`
}
