import { findQuotes } from '../../words/quotes.ts'
import type { Fillable } from '../types.ts'

/** After these words of the sentence, an app's name is mostly part of a value. */
const NAMING =
  /\b(?:titled|entitled|called|named|saying|says|that|(?:with|and|,) (?:the |an? )?(?:title|subject|name|body|message|text|description|comment|note))\b/i
/** The name of an app is a value after these words: "about GitHub", "project Jira", "the company HubSpot". */
const OBJECT = /(?:^|\P{L})(?:about|for|of|is|as|project|company) $/iu
/** The end of a sentence or clause after the name of an app. */
const GOES_ON =
  /^\s*(?:$|[.!?](?:\s|$)|[,;:)]|(?:and|with|for|in|on|to|as|at|by|from|under|due|about|assigned|titled|called|named|saying|that)\b)/
/** "Add HubSpot as a company", "the GitHub Actions". */
const IS_VALUE = /^ as an? | \p{Lu}/u
/** Companies and words that users leave out of an app's name: Microsoft Teams, WhatsApp Business. */
const MAKER = /^(?:Google|Microsoft) (?=\p{Lu}\p{L}+$)/u
const KIND = / (?:Mail|Business)$/
/** The number of characters of a sentence that are searched. */
const REACH = 300
const THING = /^ (?:account|board|channel|database|folder|list|project|repo|server|site|workspace)\b/
/** Names of apps that are ordinary words in lower case. */
const ORDINARY = /^(?:box|drive|linear|monday|notion|outlook|resend|sentry|slack|stripe|teams|zoom)$/
const PLACE = '(?<place>(?:in|on|to|from|via|using|with|at|into) (?:(?:my|our|your|the) )?|(?:my|our) )?'

/**
 * Replaces the app's name by spaces where it only says which app to call. All offsets stay the same. Does not change quotes, texts after
 * "titled", and texts after a colon.
 */
export function withoutApp(text: string, { app }: Pick<Fillable, 'app'>): string {
  // "Travel" is an ordinary word too.
  if (app === undefined || !/[^\p{Ll}\s]/u.test(app.title)) return text
  const { title } = app
  const forms = [...new Set([title, title.replace(KIND, ''), title.replace(MAKER, '')])]
  const escaped = forms.map((form) => form.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|')
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}@./_#-])${PLACE}(?<form>${escaped})(?:['’]s| account| app)?(?![\\p{L}\\p{N}@/_-]|\\.\\p{L})`,
    'giu',
  )
  const quotes = findQuotes(text)
  let said = false
  return text.replace(pattern, (match: string, ...more: unknown[]) => {
    const { place = '', form = '' } = more.at(-1) as Readonly<Record<string, string | undefined>>
    const from = more.at(-3) as number
    const before =
      text
        .slice(Math.max(0, from - REACH), from)
        .split(/[.!?]\s|\n/)
        .at(-1) ?? ''
    const after = text.slice(from + match.length, from + match.length + REACH)
    const isPlace = place !== '' && (GOES_ON.test(after) || THING.test(after))
    // "Teams" and "slack" are ordinary words, so they name the app only after a preposition.
    const isWord = form !== title && (ORDINARY.test(form) || title.replace(MAKER, '') === form)
    const stays =
      quotes.some(({ start, end }) => from + place.length > start && from < end) ||
      /: +\S/.test(before) ||
      ((isWord || NAMING.test(before)) && (!isPlace || said)) ||
      (place === '' && (OBJECT.test(before) || IS_VALUE.test(after)))
    if (stays) return match
    said = true
    // In "In the GitHub repository web" the words after the app's name keep their preposition.
    return (isPlace && !THING.test(after)) || !/^ \p{L}/u.test(after)
      ? ' '.repeat(match.length)
      : place + ' '.repeat(match.length - place.length)
  })
}
