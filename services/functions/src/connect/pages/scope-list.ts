import { type Html, html } from '@onward/runtime'
import { fill, type PageTexts } from '@onward/texts'
import type { AppText } from '@onward/texts/apps'
import { appText } from './parts.ts'

/** `lines` describe the scopes that the app asks the user for. `others` are the names of scopes without a description. */
export type ShownScopes = { readonly lines: readonly AppText[]; readonly others: readonly string[] }

/** More lines would push the button off the screen of a phone. */
const MAX_LINES = 7

/** Returns what the user allows, in plain words where the app file has them. All other scopes are folded. */
export function scopeList(t: PageTexts, names: { app: string; application: string }, { lines, others }: ShownScopes): Html | false {
  if (lines.length + others.length === 0) return false
  const [shown, more] = lines.length > MAX_LINES + 1 ? [lines.slice(0, MAX_LINES), lines.slice(MAX_LINES)] : [lines, []]
  const list = (texts: readonly AppText[]) => html`<ul>${texts.map((text) => html`<li>${appText(text)}</li>`)}</ul>`
  return html`<div class="scopes">
${shown.length > 0 && html`<h2>${fill(t.connect.lets, names)}</h2>${list(shown)}`}
${more.length > 0 && html`<details><summary>${fill(t.connect.allScopes, { count: lines.length })}</summary>${list(more)}</details>`}
${
  others.length > 0 &&
  html`<details><summary>${fill(t.connect.rawScopes, names)}</summary><ul>${others.map((scope) => html`<li><code>${scope}</code></li>`)}</ul></details>`
}
</div>`
}
