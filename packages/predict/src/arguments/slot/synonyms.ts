import { nameStems } from '../../words/stems.ts'

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
