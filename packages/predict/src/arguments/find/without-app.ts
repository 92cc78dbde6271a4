import { findQuotes } from '../../words/quotes.ts'
import { stems } from '../../words/stems.ts'
import type { Fillable } from '../types.ts'

/** After these words of its sentence an app's name is part of a value more often than not. */
const NAMING =
  /\b(?:titled|entitled|called|named|saying|says|stating|reading|that|(?:with|and|,) (?:the |an? )?(?:title|subject|name|headline|summary|body|message|text|caption|description|comment|note|content))\b/i
/** What something is about, and what is given: "about GitHub", "the title is GitHub". */
const OBJECT = /(?:^|[^\p{L}])(?:about|regarding|concerning|for|of|is|as|=|:) *$/iu
/** What may follow a place: the end of a sentence or of one of its parts. */
const GOES_ON =
  /^\s*(?:$|[.!?](?:\s|$)|[,;:)]|(?:and|with|for|in|on|to|as|at|by|from|under|due|about|assigned|titled|called|named|saying|that)\b)/
/** "Add the company HubSpot", "add HubSpot as a company": an app may be made, too. */
const MADE = /^(?:company|organi[sz]ation|customer|client|vendor|brand|supplier)$/i
const AS_A_THING = /^ as an? /
/** So much of a sentence is looked at. */
const REACH = 300

/**
 * The prompt with spaces where it only says in which app: no value is found there, and every offset stays. What is quoted or named for
 * a parameter ("title GitHub") stays, and so does all after a colon.
 */
export function withoutApp(text: string, { app, about, properties }: Pick<Fillable, 'app' | 'about' | 'properties'>): string {
  if (app === undefined || !/[^\p{Ll}\s]/u.test(app.title)) return text
  const pattern = appForms(app)
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
    // "In the GitHub repository web" stays in the repository.
    return whole || !/^ \p{L}/u.test(after) ? ' '.repeat(match.length) : place + ' '.repeat(match.length - place.length)
  })

  function isPlace(before: string, after: string, title: string, place: string, whole: boolean): boolean {
    if (/: +\S/.test(before)) return false
    if (
      (!/\p{Lu}/u.test(title) && /\p{Lu}/u.test((app as NonNullable<typeof app>).title)) ||
      isSecondName(title, app as NonNullable<typeof app>)
    )
      return whole && !NAMING.test(before)
    if (NAMING.test(before)) return whole && !said
    if (place !== '' && !/^(?:my|our) $/i.test(place)) return true
    return !AS_A_THING.test(after) && !OBJECT.test(before) && !namesIt(before) && !goesFurther(before, after)
  }

  /** "Project Jira", but not "Search Notion". */
  function namesIt(before: string): boolean {
    const word = /[^\p{L}](\p{L}+) $/u.exec(before)?.[1]
    return word !== undefined && (MADE.test(word) || names.has(stems(word)[0] ?? ''))
  }

  /** "GitHub Actions" is another name. */
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

/** Makers, whose apps go by their second name too: "in Teams". */
const MAKER = /^(?:Google|Microsoft|MS|Amazon|Apple|Adobe|Atlassian|Zoho) (?=\p{Lu}\p{L}+$)/u
/** What people leave out: WhatsApp Business, Outlook Mail. */
const KIND = / (?:Mail|Business|Cloud|CRM|API|Online)$/
const PLACE = '(?<place>(?:in|on|to|from|via|using|with|at|into|through|inside|within|over) (?:(?:my|our|your|the) )?|(?:my|our) )?'
const ACCOUNT = '(?<account> (?:account|app)(?![\\p{L}\\p{N}]))?'

const known = new WeakMap<NonNullable<Fillable['app']>, RegExp>()

/** Finds an app by its title or name, with the words that make it a place: "in our HubSpot account". Groups: place, title, account. */
function appForms(app: NonNullable<Fillable['app']>): RegExp {
  const kept = known.get(app)
  if (kept !== undefined) return kept
  const { name, title } = app
  const forms = new Set([title, title.replace(KIND, ''), title.replace(MAKER, ''), name.replaceAll('-', ' ')])
  const any = [...forms].map((form) => form.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|')
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}@./_#-])${PLACE}(?<title>${any})(?:['’]s)?${ACCOUNT}(?![\\p{L}\\p{N}@/_-]|\\.\\p{L})`, 'giu')
  known.set(app, pattern)
  return pattern
}

/** "Teams" of Microsoft Teams: a word of its own, an app only after "in" and the like. */
function isSecondName(form: string, { title }: NonNullable<Fillable['app']>): boolean {
  return MAKER.test(title) && form.toLowerCase() === title.replace(MAKER, '').toLowerCase()
}
