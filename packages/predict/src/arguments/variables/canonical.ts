import { stem } from '../../words/stems.ts'
import { words } from '../../words/words.ts'

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
