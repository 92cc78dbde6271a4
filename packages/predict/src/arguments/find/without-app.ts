import { findQuotes } from '../../words/quotes.ts'
import { stems } from '../../words/stems.ts'
import type { Fillable } from '../types.ts'

/** After these words of the sentence, an app's name is mostly part of a value. */
const NAMING =
  /\b(?:titled|entitled|called|named|saying|says|stating|reading|that|(?:with|and|,) (?:the |an? )?(?:title|subject|name|headline|summary|body|message|text|caption|description|comment|note|content))\b/i
/** The name of an app is a value after these words: "about GitHub", "the title is GitHub". */
const OBJECT = /(?:^|[^\p{L}])(?:about|regarding|concerning|for|of|is|as|=|:) *$/iu
/** The end of a sentence or clause after the name of an app. */
const GOES_ON =
  /^\s*(?:$|[.!?](?:\s|$)|[,;:)]|(?:and|with|for|in|on|to|as|at|by|from|under|due|about|assigned|titled|called|named|saying|that)\b)/
/** An app may be the thing to create: "Add the company HubSpot", "add HubSpot as a company". */
const MADE = /^(?:company|organi[sz]ation|customer|client|vendor|brand|supplier)$/i
const AS_A_THING = /^ as an? /
/** The number of characters of a sentence that are searched. */
const REACH = 300

/**
 * Replaces the app's name by spaces where it only says which app to call. All offsets stay the same. Does not change quotes, values of
 * parameters ("title GitHub") and text after a colon.
 */
export function withoutApp(text: string, { app, about, properties }: Pick<Fillable, 'app' | 'about' | 'properties'>): string {
  if (app === undefined || !/[^\p{Ll}\s]/u.test(app.title)) return text
  const target = app
  const pattern = appForms(target)
  if (text.search(pattern) < 0) return text
  const quotes = findQuotes(text)
  const names = new Set(stems(Object.keys(properties).join(' ')))
  const idle = new Set(stems(about))
  let said = false
  return text.replace(pattern, (match: string, ...more: unknown[]) => {
    const { place = '', title = '' } = more.at(-1) as Readonly<Record<string, string | undefined>>
    const from = more.at(-3) as number
    const at = from + place.length
    if (quotes.some(({ start, end }) => at > start && at < end)) return match
    const before = sentenceBefore(text, from)
    const after = text.slice(from + match.length, from + match.length + REACH)
    const whole = place !== '' && GOES_ON.test(after)
    if (!isPlace(before, after, title, place, whole)) return match
    said = true
    // In "In the GitHub repository web" the words after the app's name keep their preposition.
    return whole || !/^ \p{L}/u.test(after) ? ' '.repeat(match.length) : place + ' '.repeat(match.length - place.length)
  })

  function isPlace(before: string, after: string, title: string, place: string, whole: boolean): boolean {
    if (/: +\S/.test(before)) return false
    if ((!/\p{Lu}/u.test(title) && /\p{Lu}/u.test(target.title)) || isSecondName(title, target)) return whole && !NAMING.test(before)
    if (NAMING.test(before)) return whole && !said
    if (place !== '' && !/^(?:my|our) $/i.test(place)) return true
    return !AS_A_THING.test(after) && !OBJECT.test(before) && !namesIt(before) && !goesFurther(before, after)
  }

  /** "Project Jira" is a value, "Search Notion" is not. */
  function namesIt(before: string): boolean {
    const word = /[^\p{L}](\p{L}+) $/u.exec(before)?.[1]
    return word !== undefined && (MADE.test(word) || names.has(stems(word)[0] ?? ''))
  }

  /** "GitHub Actions" is a different name. */
  function goesFurther(before: string, after: string): boolean {
    const next = /^ (\p{Lu}[\p{L}\p{N}]*)/u.exec(after)?.[1]
    return next !== undefined && !idle.has(stems(next)[0] ?? '') && !/^\s*\p{L}+ $/u.test(before)
  }
}

function sentenceBefore(text: string, end: number): string {
  const reach = text.slice(Math.max(0, end - REACH), end)
  const from = Math.max(...['. ', '! ', '? ', '\n'].map((mark) => reach.lastIndexOf(mark)))
  return reach.slice(from + 1).trimStart()
}

/** Companies whose apps are also called by their second name: "in Teams". */
const MAKER = /^(?:Google|Microsoft|MS|Amazon|Apple|Adobe|Atlassian|Zoho) (?=\p{Lu}\p{L}+$)/u
/** Words that users leave out of an app's name: WhatsApp Business, Outlook Mail. */
const KIND = / (?:Mail|Business|Cloud|CRM|API|Online)$/
const PLACE = '(?<place>(?:in|on|to|from|via|using|with|at|into|through|inside|within|over) (?:(?:my|our|your|the) )?|(?:my|our) )?'
const ACCOUNT = '(?<account> (?:account|app)(?![\\p{L}\\p{N}]))?'

const patterns = new WeakMap<NonNullable<Fillable['app']>, RegExp>()

/**
 * Returns a pattern for the title or name of an app, with the words that make it a place: "in our HubSpot account". Groups: place, title,
 * account.
 */
function appForms(app: NonNullable<Fillable['app']>): RegExp {
  const kept = patterns.get(app)
  if (kept !== undefined) return kept
  const { name, title } = app
  const forms = new Set([title, title.replace(KIND, ''), title.replace(MAKER, ''), name.replaceAll('-', ' ')])
  const any = [...forms].map((form) => form.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|')
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}@./_#-])${PLACE}(?<title>${any})(?:['’]s)?${ACCOUNT}(?![\\p{L}\\p{N}@/_-]|\\.\\p{L})`, 'giu')
  patterns.set(app, pattern)
  return pattern
}

/** "Teams" of Microsoft Teams is also an ordinary word, so it names the app only after a preposition. */
function isSecondName(form: string, { title }: NonNullable<Fillable['app']>): boolean {
  return MAKER.test(title) && form.toLowerCase() === title.replace(MAKER, '').toLowerCase()
}
