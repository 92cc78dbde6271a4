import type { Found } from './found.ts'

const SAYS =
  /\b(?:saying|says?|stating|states|that reads?|reading|telling (?:him|her|them|everyone|the \w+)|tell (?:him|her|them|everyone)|asking|to say|tell \S+(?: +\S+)? +that|with the (?:following )?(?:message|text|body|content|comment|note|description)|(?:message|text|body|content|comment|note|description|sentence|phrase) (?:is|as|of|should be|that says))\b(?: that)?[:,]? (?!["“‘'`])/gi
/** "Write to Ada that …", "let them know …". */
const THAT =
  /\b(?:(?:write|reply|respond|comment|note|mention|announce|post|inform|notify|remind|message|email|text)(?: +[^\s.,:;]+(?:\.[^\s.,:;]+)*){0,5}? +that|let(?: +\S+){1,5}? +know(?: that)?) (?!["“‘'`])/gi
const BECAUSE = /\bbecause (?!of\b)/gi
const COLON = /: +(?!["“‘'`])(?=\S)/g
const ABOUT = /\b(?:about|regarding|on the topic of|concerning|related to)\b (?!["“‘'`])(?:the |a |an |some )?/gi
/** Where what is said ends: at the end of the sentence. */
const SENTENCE = /[.!?](?=\s|$)|\n|(?:,(?: and| with)?| and| with)(?: the| a)? (?:subject|title)(?: is| of)?:? (?=["“\p{Lu}])/u
/** Where a topic ends. */
const TOPIC = /[.!?,;:](?=\s|$)|\n| (?:in|for|with|from|on|to|using|that|which|and (?:send|add|set|give|tell)|please)\b/

/** What a message says, what a question is about, and reasons. */
export function findClauses(prompt: string): Found[] {
  const found = [
    ...[...prompt.matchAll(SAYS)].flatMap((match) => upTo(prompt, match.index + match[0].length, SENTENCE, 'says')),
    ...[...prompt.matchAll(THAT)].flatMap((match) => upTo(prompt, match.index + match[0].length, SENTENCE, 'says')),
    ...[...prompt.matchAll(BECAUSE)].flatMap((match) => upTo(prompt, match.index + match[0].length, SENTENCE, 'because')),
    ...[...prompt.matchAll(COLON)].flatMap((match) => upTo(prompt, match.index + match[0].length, /\n/, 'says')),
    ...[...prompt.matchAll(ABOUT)].flatMap((match) => upTo(prompt, match.index + match[0].length, TOPIC, 'about')),
  ]
  return found.filter(({ start }, at) => found.findIndex((other) => other.start === start) === at)
}

function upTo(prompt: string, start: number, end: RegExp, unit: string): Found[] {
  const rest = prompt.slice(start, start + 2_000)
  const stop = end.exec(rest)
  const length = stop === null ? rest.length : stop.index + (end === SENTENCE && stop[0] === '!' ? 1 : 0)
  const text = rest.slice(0, length).trimEnd()
  return text === '' ? [] : [{ kind: 'clause', text, start, end: start + text.length, unit }]
}
