import type { ValueSchema } from '@onward/catalog'

/** The type of value that a parameter's name, format and description suggest. */
export type ExpectedType = keyof typeof BY_NAME | 'slug'

/** Patterns of the lower-case words of name and title. */
const BY_NAME = {
  email:
    /\be ?mails?\b|\bmail\b|\brecipients?\b|\bcc\b|\bbcc\b|\bto\b|\bfrom\b|\bassignees?\b|\bsender\b|\breply to\b|\bidentifier\b|\bcontact\b/,
  url: /\burls?\b|\blinks?\b|\bwebsite\b|\bwebhook\b|\buri\b|\bhref\b|\bwebpage\b|\bsite\b/,
  phone: /\bphones?\b|\bmobile\b|\btel\b|\bcell\b|\bfax\b|\bto\b|\bfrom\b|\brecipients?\b|\bsender\b|\bphone number\b|\bcontact\b/,
  address: /\bips?\b|\bdomain\b|\bhost(?:name)?\b|\bserver\b/,
  id: /\bids?\b|\buuid\b|\bidentifier\b|\bkey\b|\btoken\b|\bcode\b|\bsku\b|\bserial\b|\breference\b|\bhash\b|\bsha\b|\busername\b|\bticket\b|\bpassword\b/,
  file: /\bfiles?\b|\bpath\b|\bfilename\b|\bfolder\b|\bdirectory\b|\bimage\b|\baudio\b|\bvideo\b|\bdocument\b|\bphoto\b/,
  handle: /\bhandle\b|\busername\b|\bhash ?tags?\b|\bchannel\b|\btags?\b/,
  coordinates: /\bcoordinates?\b|\blocation\b/,
  date: /\bdates?\b|\bday\b|\bdeadline\b|\bdue\b|\bbirthday\b|\bdob\b|\bdatetime\b|\bchecki?n?\b|\bsince\b|\bfrom\b|\buntil\b|\b(?:starts?|ends?|due|created|updated)(?: at| on)?\b|\btimestamp\b|\bwhen\b|\bexpir(?:es|y)\b/,
  time: /\btime\b|\bhour\b|\bdatetime\b|\btimestamp\b|\bwhen\b|\b(?:starts?|ends?|due|remind)(?: at)?\b|\bexpir(?:es|y)\b/,
  money:
    /\bprice\b|\bcost\b|\bamount\b|\bbudget\b|\bfee\b|\bsalary\b|\bincome\b|\brevenue\b|\bpayment\b|\bvalue\b|\btotal\b|\bexpenses?\b|\bfare\b|\bloan\b|\bprincipal\b|\binvestment\b|\bdeposit\b|\bbalance\b/,
  percent: /\brate\b|\bpercent(?:age)?\b|\bproportion\b|\bratio\b|\bshare\b|\bdiscount\b|\binterest\b/,
  count: /\blimit\b|\bcount\b|\bnumber\b|\bmax\b|\bsize\b|\bquantity\b|\bnum\b|\bper page\b|\btop\b|\bamount\b/,
  language: /\blanguages?\b|\blang\b|\blocale\b/,
  country: /\bcountr(?:y|ies)\b|\bnation\b|\blocation\b|\bregion\b|\bplace\b/,
  currency: /\bcurrenc(?:y|ies)\b/,
  place:
    /\bplace\b|\blocation\b|\bcity\b|\btown\b|\bregion\b|\bstate\b|\baddress\b|\barea\b|\bvenue\b|\bdestination\b|\borigin\b|\bcontinent\b|\bdeparture\b|\barrival\b|\bcounty\b|\bprovince\b/,
  owner: /\bowner\b|\bnamespace\b/,
  repo: /\brepo(?:sitory)?\b/,
  given: /\b(?:first|given) ?name\b/,
  family: /\b(?:last|family|sur) ?name\b/,
  person:
    /\bperson\b|\bauthor\b|\bartist\b|\bplayer\b|\bassignees?\b|\bowner\b|\b(?:first|last|full|given|family|user|customer|patient|student|employee|guest|contact) ?name\b|\bcustomer\b|\buser\b|\bactor\b|\bdirector\b|\bsinger\b/,
  name: /\bname\b|\btitle\b|\blabel\b|\bbrand\b|\bcompany\b|\borgani[sz]ation\b|\bteam\b|\bbook\b|\bproduct\b|\bmodel\b|\bproject\b/,
  text: /\btext\b|\bbody\b|\bmessage\b|\bcontent\b|\bcomments?\b|\bdescription\b|\bnotes?\b|\bsentence\b|\bdetails\b|\bsummary\b|\bprompt\b|\bcaption\b|\breview\b|\bfeedback\b|\breason\b|\bsubject\b|\btitle\b|\bphrase\b/,
  topic: /\btopics?\b|\bquery\b|\bq\b|\bkeywords?\b|\bsearch(?: term)?\b|\bterm\b|\bsubject\b|\btheme\b|\bcategory\b|\binterests?\b/,
}
const BY_FORMAT: Readonly<Record<string, readonly ExpectedType[]>> = {
  email: ['email'],
  uri: ['url'],
  url: ['url'],
  date: ['date'],
  'date-time': ['date', 'time'],
  time: ['time'],
  uuid: ['id'],
  ipv4: ['address'],
  ipv6: ['address'],
  hostname: ['address'],
}
const BY_DESCRIPTION: readonly (readonly [ExpectedType, RegExp])[] = [
  ['email', /\be-?mail address|\w@example\.com/i],
  ['phone', /\bphone number|\bE\.164\b|\bnumber to (?:call|send)\b/i],
  ['slug', /\b(?:such as|e\.g\.,?|as) [\w-]+\/[\w-]+/i],
  ['id', /\bidentifier\b|\bids?\b/i],
]
/** "Id of the payment" is an id and not an amount, whatever the parameter's name is. */
const AN_ID = /^(?:the )?(?:\p{L}+ )?ids?\b/iu
/** The value of "from name" or "contact id" is a name or an id, not an address. */
const A_NAME = /(?<!\b(?:user|domain|host|file|path) ?)\bname$|\b(?:id|path|message|text|body|subject)$/
const NO_NAMES: ReadonlySet<ExpectedType> = new Set(['email', 'phone', 'url', 'date', 'time'])
const AMOUNTS: ReadonlySet<ExpectedType> = new Set(['money', 'percent', 'count'])

/** Returns the types of value that a parameter may expect, by its format, its name and, if the name is vague, its description. */
export function expectedTypesOf(nameWords: string, schema: ValueSchema): ReadonlySet<ExpectedType> {
  const byFormat = BY_FORMAT[schema.format ?? '']
  if (byFormat !== undefined) return new Set(byFormat)
  const { properties = {}, required = [] } = schema.items ?? {}
  const [only] = required
  if (only !== undefined && required.length === 1 && properties[only] !== undefined) return expectedTypesOf(only, properties[only])
  const isTime = /(?<!date ?)\btime$/.test(nameWords) && !/\bdate\b|\biso\b/i.test(schema.description ?? '')
  const isName = A_NAME.test(nameWords)
  const named = (Object.keys(BY_NAME) as (keyof typeof BY_NAME)[]).filter((type) => BY_NAME[type].test(nameWords))
  const described = BY_DESCRIPTION.filter(([, pattern]) => pattern.test(schema.description ?? '')).map(([type]) => type)
  // "To" is an address or a phone number, until the description says which.
  const excluded = described.includes('phone') ? 'email' : described.includes('email') ? 'phone' : undefined
  const isVague = named.every((type) => ['name', 'text', 'topic', 'time', 'count', 'id'].includes(type))
  const expected = [...named, ...(isVague ? described : [])].filter(
    (type) => !(isName && NO_NAMES.has(type)) && !(isTime && type === 'date') && (type !== excluded || described.includes(type)),
  )
  return new Set(AN_ID.test(schema.description ?? '') ? [...expected.filter((type) => !AMOUNTS.has(type)), 'id'] : expected)
}
