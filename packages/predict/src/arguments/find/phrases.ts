import type { Piece } from './piece.ts'
import { isGrammar, type Word } from './prompt.ts'

/** Short words inside names: "Proof of Work", "The Catcher in the Rye". */
const INSIDE = new Set(['of', 'de', 'la', 'del', 'von', 'van', 'der', 'the', 'in', 'for', 'to', 'on', 'at', 'du', 'le'])
/** Capitalized words that do not begin a name. */
const NOT_NAMES = new Set(
  "i the a an my our your his her their this that these those it we you he she they also please can could would will should what which who when where why how is are do does and or but if in on at for from to with of by as id api url ip ok yes no hi hello i'm i've i'd i'll let's what's here's there's it's don't".split(
    ' ',
  ),
)

/**
 * Finds runs of capitalized words, which may contain words such as "of the". Also finds each half of "Bridge of Sighs", which may be two
 * values.
 */
export function findNames(words: readonly Word[]): Piece[] {
  const found: Piece[] = []
  for (let at = 0; at < words.length; at++) {
    if (!opensName(words, at)) continue
    let end = at
    let plain = at
    let hasInside = false
    for (let next = at + 1; next < words.length; next++) {
      const word = words[next] as Word
      if (!/^(?: |-|\. |\.|&| & |')$/.test(word.before) || (/^\. $/.test(word.before) && (words[next - 1] as Word).text.length > 2)) break
      if (isCapital(word) || (/^\p{N}+$/u.test(word.text) && next === end + 1)) {
        if (next === end + 1 && !hasInside) plain = next
        end = next
      } else if (INSIDE.has(word.lower) && next - end <= 2) {
        hasInside = true
      } else break
    }
    const run = span(words, at, end)
    found.push(run)
    if (plain < end) found.push(span(words, at, plain), ...rest(words, plain + 1, end))
    at = end
  }
  return found
}

function rest(words: readonly Word[], from: number, to: number): Piece[] {
  const starts = words.slice(from, to + 1).findIndex((_, at) => opensName(words, from + at))
  return starts < 0 ? [] : [span(words, from + starts, to)]
}

function span(words: readonly Word[], from: number, to: number): Piece {
  const [first, last] = [words[from] as Word, words[to] as Word]
  const text = words
    .slice(from, to + 1)
    .map((word, n) => (n === 0 ? '' : word.before) + word.text)
    .join('')
  return { kind: 'name', text, start: first.start, end: last.end }
}

function isCapital({ text, lower }: Word): boolean {
  return /^\p{Lu}/u.test(text) && !NOT_NAMES.has(lower)
}

/** The first word of a sentence is always capitalized and mostly a verb, so it does not begin a name. */
function opensName(words: readonly Word[], at: number): boolean {
  const word = words[at] as Word
  const first = at === 0 || /[.!?:\n]/.test(word.before)
  return isCapital(word) && (!first || (at > 0 && /:/.test(word.before)))
}

const MAX_WORDS = 7

/** Finds runs of words without function words and without `taken` pieces: "criminal judicial decisions", "boiling water reactor". */
export function findPhrases(words: readonly Word[], taken: readonly Piece[]): Piece[] {
  const found: Piece[] = []
  let run: Word[] = []
  for (const [at, word] of words.entries()) {
    const verb =
      /(?:\p{L}{3}ed|closing|starting)$/u.test(word.lower) && /^(?:by|as|on|at|in|to|for|with|from)$/.test(words[at + 1]?.lower ?? '')
    const opens = at === 0 || /[.!?]\s/.test(word.before)
    const idle = opens || verb || isGrammar(word.lower) || taken.some(({ start, end }) => word.start >= start && word.end <= end)
    if (run.length > 0 && (!/^[ \-/&']$/.test(word.before) || idle)) close()
    if (!idle) run.push(word)
  }
  close()
  return found

  function close(): void {
    const [first, last] = [run[0], run.at(-1)]
    if (first !== undefined && last !== undefined && run.length <= MAX_WORDS) {
      const text = run.map((word, n) => (n === 0 ? '' : word.before) + word.text).join('')
      if (/\p{L}/u.test(text)) found.push({ kind: 'phrase', text, start: first.start, end: last.end })
    }
    run = []
  }
}

const SAYS_CLAUSE =
  /\b(?:saying|says?|stating|states|that reads?|reading|telling (?:him|her|them|everyone|the \w+)|tell (?:him|her|them|everyone)|asking|to say|tell(?: +\S+){1,5}? +that|with the (?:following )?(?:message|text|body|content|comment|note|description)|(?:message|text|body|content|comment|note|description|sentence|phrase) (?:is|as|of|should be|that says))\b(?: that)?[:,]? (?!["“‘'`])/gi
/** "Write to Ada that …", "let them know …". */
const THAT =
  /\b(?:(?:write|reply|respond|comment|note|mention|announce|post|inform|notify|remind|message|email|text)(?: +[^\s.,:;]+(?:\.[^\s.,:;]+)*){0,5}? +that|let(?: +\S+){1,5}? +know(?: that)?) (?!["“‘'`])/gi
const BECAUSE = /\bbecause (?!of\b)/gi
const COLON = /: +(?!["“‘'`])(?=\S)/g
const ABOUT = /\b(?:about|regarding|on the topic of|concerning|related to)\b (?!["“‘'`])(?:the |a |an |some )?/gi
/** The end of a sentence, or the start of a subject or title. */
const SENTENCE = /[.!?](?=\s|$)|\n|(?:,(?: and| with)?| and| with)(?: the| a)? (?:subject|title)(?: is| of)?:? (?=["“\p{Lu}])/u
/** Where a topic ends. */
const TOPIC = /[.!?,;:](?=\s|$)|\n| (?:in|for|with|from|on|to|using|that|which|and (?:send|add|set|give|tell|write|say)|please)\b/

/** Finds the content of messages, the topics of questions, and reasons. */
export function findClauses(prompt: string): Piece[] {
  const found = [
    ...[...prompt.matchAll(SAYS_CLAUSE)].flatMap((match) => upTo(prompt, match.index + match[0].length, SENTENCE, 'says')),
    ...[...prompt.matchAll(THAT)].flatMap((match) => upTo(prompt, match.index + match[0].length, SENTENCE, 'says')),
    ...[...prompt.matchAll(BECAUSE)].flatMap((match) => upTo(prompt, match.index + match[0].length, SENTENCE, 'because')),
    ...[...prompt.matchAll(COLON)].flatMap((match) => upTo(prompt, match.index + match[0].length, /\n/, 'says')),
    ...[...prompt.matchAll(ABOUT)].flatMap((match) => upTo(prompt, match.index + match[0].length, TOPIC, 'about')),
  ]
  return found.filter(({ start }, at) => found.findIndex((other) => other.start === start) === at)
}

function upTo(prompt: string, start: number, end: RegExp, unit: string): Piece[] {
  const rest = prompt.slice(start, start + 2_000)
  const stop = end.exec(rest)
  const length = stop === null ? rest.length : stop.index + (end === SENTENCE && stop[0] === '!' ? 1 : 0)
  const text = rest.slice(0, length).trimEnd()
  return text === '' ? [] : [{ kind: 'clause', text, start, end: start + text.length, unit }]
}
