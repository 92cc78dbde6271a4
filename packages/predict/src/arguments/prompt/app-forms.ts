import type { Fillable } from '../types.ts'

/** Makers, whose apps go by their second name too: "in Teams". */
const MAKER = /^(?:Google|Microsoft|MS|Amazon|Apple|Adobe|Atlassian|Zoho) (?=\p{Lu}\p{L}+$)/u
/** What people leave out: WhatsApp Business, Outlook Mail. */
const KIND = / (?:Mail|Business|Cloud|CRM|API|Online)$/
const PLACE = '(?<place>(?:in|on|to|from|via|using|with|at|into|through|inside|within|over) (?:(?:my|our|your|the) )?|(?:my|our) )?'
const ACCOUNT = '(?<account> (?:account|app)(?![\\p{L}\\p{N}]))?'

const known = new WeakMap<NonNullable<Fillable['app']>, RegExp>()

/** Finds an app by its title or name, with the words that make it a place: "in our HubSpot account". Groups: place, title, account. */
export function appForms(app: NonNullable<Fillable['app']>): RegExp {
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
export function isSecondName(form: string, { title }: NonNullable<Fillable['app']>): boolean {
  return MAKER.test(title) && form.toLowerCase() === title.replace(MAKER, '').toLowerCase()
}
