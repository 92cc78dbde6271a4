import { nameStems, stem } from '../../words/stems.ts'
import { words } from '../../words/words.ts'

/** Words in parameter names, and the words that users say instead. */
const SYNONYMS: readonly (readonly [string, string])[] = [
  ['limit count max results number size page top first', 'first top most maximum up last latest newest recent'],
  ['price cost amount value', 'costs priced worth price cost amount'],
  ['summary topic subject', 'titled called named title subject'],
  ['due deadline', 'due by'],
  ['label tag', 'labelled tagged labels tags'],
  ['owner', 'owned'],
  ['description', 'described'],
  ['company organization organisation', 'company organization organisation firm'],
  ['to recipient', 'email mail text message send'],
  ['assignee', 'assign assigned'],
  ['table list folder project board', 'list folder project board'],
  ['duration length', 'long lasting lasts minutes hours'],
  ['quantity amount count', 'quantity amount number units'],
  ['name title label', 'call called named titled entitled name title'],
  ['message text body content comment note status', 'saying says stating reads message text telling tell content body'],
  ['start begin', 'start starting starts begin beginning'],
  ['end finish', 'end ending ends until finish'],
  ['min minimum', 'least minimum above over more'],
  ['max maximum', 'most maximum below under less within'],
  ['query keyword keywords q term search', 'search searching keyword keywords query term for'],
  ['assignee owner', 'assign assigned owner'],
  ['source origin departure', 'from'],
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
  [/\b(?:start|begin|since|after|from|min)\b/, 'from since after starting between'],
  [/\b(?:end|until|before|max)\b/, 'to until till through before and'],
  [/\b(?:company|employer|organi[sz]ation)\b/, 'at from of'],
  [/\b(?:attendees?|guests?|invitees?|participants?)\b/, 'with'],
  [/\b(?:owner|repo(?:sitory)?|namespace)\b/, 'in of'],
  [/\b(?:author|artist|creator|director|writer|brand)\b/, 'by'],
  [/\b(?:date|day|platform|topic)\b/, 'on'],
  [/\b(?:time|price|rate)\b/, 'at'],
  [/\b(?:topic|subject|query|keywords?|theme|about)\b/, 'about on regarding for'],
  [/\b(?:method|algorithm|model|tool|format|technique|software|material|device|platform)\b/, 'using via with in through by'],
  [/\b(?:duration|period|days|months|years|hours|minutes)\b/, 'for during over'],
  [/\b(?:patient|customer|user|person|client|student|guest|employee|participant|purpose|event)\b/, 'for by'],
  [/\b(?:min|minimum)\b/, 'least above over'],
  [/\b(?:max|maximum|limit)\b/, 'most under below to within'],
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
  ['city', 'town'],
  ['latitude', 'lat'],
  ['longitude', 'lng, lon, long'],
  ['language', 'lang'],
  ['description', 'desc'],
  ['quantity', 'qty'],
  ['number', 'num, nr'],
  ['id', 'gid, uuid, guid, uid, identifier'],
  ['repository', 'repo'],
  ['time zone', 'timezone, tz'],
  ['due date', 'due, due on, due at, due day, deadline'],
  ['start', 'start time, start at, starts at, start date time, start datetime, begins at, begin'],
  ['end', 'end time, end at, ends at, end date time, end datetime'],
  ['to', 'recipient, recipients'],
  ['from', 'sender'],
  ['message', 'msg'],
  ['job title', 'jobtitle'],
  ['url', 'link, uri, href'],
]

const PHRASES: ReadonlyMap<string, readonly string[]> = new Map(
  SAME.flatMap(([meaning, phrases]) => phrases.split(', ').map((phrase) => [phrase, meaning.split(' ')] as const)),
)
const LONGEST = 3
/** Words that do not change the meaning of a name. */
const EMPTY = new Set(['a', 'an', 'has', 'is', 'new', 'the'])

/** Returns the stems of the canonical form of a name: `surname`, `lastName` and `family_name` give the same result. */
export function canonical(name: string): string[] {
  const given = words(name).filter((word) => !EMPTY.has(word))
  const canonicalWords: string[] = []
  for (let at = 0; at < given.length; ) {
    const taken = Math.max(1, lengthAt(given, at))
    const meaning = PHRASES.get(given.slice(at, at + taken).join(' '))
    canonicalWords.push(...(meaning ?? given.slice(at, at + taken)))
    at += taken
  }
  return canonicalWords.map(stem)
}

/** Returns the number of words of the longest known phrase at a position, or 0. */
function lengthAt(given: readonly string[], at: number): number {
  for (let length = Math.min(LONGEST, given.length - at); length > 0; length--) {
    if (PHRASES.has(given.slice(at, at + length).join(' '))) return length
  }
  return 0
}
