import { nameStems, stem } from '../../words/stems.ts'
import { words } from '../../words/words.ts'

/** Words in parameter names, and the words that users say instead. */
const SYNONYMS: readonly (readonly [string, string])[] = [
  ['price cost amount value', 'costs priced worth price cost amount'],
  ['summary topic subject', 'titled called named title subject'],
  ['owner', 'owned'],
  ['description', 'described'],
  ['company organization organisation', 'company organization organisation firm'],
  ['to recipient', 'email mail text message send'],
  ['name title label', 'call called named titled entitled name title'],
  ['message text body content comment note status', 'saying says stating reads message text telling tell content body'],
  ['end finish', 'end ending ends until finish'],
  ['query keyword keywords q term search', 'search searching keyword keywords query term for'],
  ['assignee owner', 'assign assigned owner'],
  ['reason', 'because reason'],
  ['attendee guest invitee participant', 'with invite inviting invited'],
]
const ENTRIES = SYNONYMS.map(([names, words]) => ({ names: new Set(nameStems(names)), words: nameStems(words) }))

/** Short words that stand before the value of a parameter. */
const CUES: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:location|city|place|country|region|area|venue|state|town|continent|address|department|environment|facility|store|school|hotel|restaurant)\b/,
    'in at near around of',
  ],
  [/\blanguage\b/, 'in into'],
  [/\b(?:source|origin|departure|from|sender|head)\b/, 'from'],
  [/\b(?:target|destination|arrival|to|recipients?|output|new|assignee|base)\b/, 'to into against'],
  [/\b(?:end|until|before|max)\b/, 'to until till through before and'],
  [/\b(?:company|employer|organi[sz]ation)\b/, 'at from of'],
  [/\b(?:time|price|rate)\b/, 'at'],
  [/\b(?:topic|subject|query|keywords?|theme|about)\b/, 'about on regarding for'],
]

/** Returns the stems of the words that users say for a parameter with these name stems. */
export function synonymsOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(ENTRIES.filter((entry) => names.some((name) => entry.names.has(name))).flatMap(({ words }) => words))
}

/** Returns the lower-case cues for a parameter with these name words. */
export function cuesOf(nameWords: string): ReadonlySet<string> {
  return new Set(CUES.filter(([pattern]) => pattern.test(nameWords)).flatMap(([, words]) => words.split(' ')))
}

/** A canonical phrase, and the phrases that have the same meaning. */
const SAME: readonly (readonly [string, string])[] = [
  ['email', 'e mail, mail, mails, emails, email address, email addresses, e mail address, mail address, emailaddress'],
  [
    'phone',
    'phone number, phonenumber, mobile, mobile number, mobile phone, cell, cell phone, cellphone, tel, telephone, telephone number',
  ],
  ['first name', 'firstname, fname, given name, givenname, forename'],
  ['last name', 'lastname, lname, surname, family name, familyname'],
  ['name', 'full name, fullname'],
  ['company', 'organisation, organization, org, employer, companies, organisations, organizations'],
  ['postal code', 'zip, zip code, zipcode, postcode, post code'],
  ['street', 'street address, address line, address line 1, address line1, address line 2, line1, address1'],
  ['latitude', 'lat'],
  ['longitude', 'lng, lon, long'],
  ['language', 'lang'],
  ['id', 'gid, uuid, guid, uid, identifier'],
  ['repository', 'repo'],
  ['due date', 'due, due on, due at, due day, deadline'],
]

const PHRASES: ReadonlyMap<string, readonly string[]> = new Map(
  SAME.flatMap(([meaning, phrases]) => phrases.split(', ').map((phrase) => [phrase, meaning.split(' ')] as const)),
)
/** Words that do not change the meaning of a name. */
const EMPTY = new Set(['a', 'an', 'has', 'is', 'new', 'the'])

/** Returns the stems of the canonical form of a name: `surname`, `lastName` and `family_name` give the same result. */
export function canonical(name: string): string[] {
  const given = words(name).filter((word) => !EMPTY.has(word))
  const canonicalWords: string[] = []
  for (let at = 0; at < given.length; ) {
    const phraseOf = (length: number) => given.slice(at, at + length).join(' ')
    const length = [3, 2].find((length) => PHRASES.has(phraseOf(length))) ?? 1
    canonicalWords.push(...(PHRASES.get(phraseOf(length)) ?? [given[at] as string]))
    at += length
  }
  return canonicalWords.map(stem)
}
