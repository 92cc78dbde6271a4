import { type Piece, pieceOf } from './piece.ts'
import { isGrammar, type Word, withoutThanks } from './prompt.ts'

/** Capitalized words that do not begin a name. */
const NOT_NAMES = new Set(
  "i the a an my our your his her their this that these those it we you he she they also please can could would will should what which who when where why how is are do does and or but if in on at for from to with of by as id api url ip ok yes no hi hello i'm i've i'd i'll let's what's here's there's it's don't".split(
    ' ',
  ),
)

/** Finds runs of capitalized words. */
export function findNames(words: readonly Word[]): Piece[] {
  const found: Piece[] = []
  for (let at = 0; at < words.length; at++) {
    if (!opensName(words, at)) continue
    const first = at
    while (continuesName(words, at + 1)) at++
    found.push(pieceOf('name', words.slice(first, at + 1)))
  }
  return found
}

/** In "Dr. Lee" the stop does not end the name. */
function continuesName(words: readonly Word[], at: number): boolean {
  const word = words[at]
  if (word === undefined || !/^(?: |-|\. |\.|&| & |')$/.test(word.before)) return false
  if (word.before === '. ' && (words[at - 1] as Word).text.length > 2) return false
  return isCapital(word) || /^\p{N}+$/u.test(word.text)
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
    const piece = pieceOf('phrase', run)
    if (run.length <= MAX_WORDS && /\p{L}/u.test(piece.text)) found.push(piece)
    run = []
  }
}

const SAYS_CLAUSE =
  /\b(?:saying|says?|stating|states|that reads?|reading|telling (?:him|her|them|everyone|the \w+)|tell (?:him|her|them|everyone)|asking|to say|tell(?: +\S+){1,8}? +that|with the (?:following )?(?:message|text|body|content|comment|note|description)|(?:message|text|body|content|comment|note|description|sentence|phrase) (?:is|as|of|should be|that says))\b(?: that)?[:,]? (?!["“‘'`])/gi
/** "Write to Ada that …", "let them know …". */
const THAT =
  /\b(?:(?:write|reply|respond|comment|note|mention|announce|post|inform|notify|remind|message|email|text)(?: +[^\s.,:;]+(?:\.[^\s.,:;]+)*){0,5}? +that|let(?: +\S+){1,5}? +know(?: that)?) (?!["“‘'`])/gi
/** "Charge 20 USD for a yoga mat to …". */
const PAID_FOR =
  /(?:[$€£] ?\d[\d.,]*|\d[\d.,]* ?(?:usd|eur|gbp|dollars|euros|pounds)) for (?:an? |the )?(?=(?!\w+_)\p{L}+(?: \p{L}+){0,3}(?: (?:to|from|on|in|by|with)\b|[.,;]|$))/giu
const BECAUSE = /\bbecause (?!of\b)/gi
/** The end of a sentence, or the start of a subject or title. */
const SENTENCE = /[.!?](?=\s|$)|\n|(?:,(?: and| with)?| and| with)(?: the| a)? (?:subject|title)(?: is| of)?:? (?=["“\p{Lu}])/u
const ABOUT = /\b(?:about|regarding|related to) (?!["“‘'`])(?:the |an? )?/gi
const TOPIC_END = / (?:to|from|on|in|by|with)\b|[.,;]/

/** Finds the content of messages, reasons, and topics. */
export function findClauses(prompt: string): Piece[] {
  const found = [SAYS_CLAUSE, THAT, BECAUSE].flatMap((pattern) =>
    [...prompt.matchAll(pattern)].flatMap((match) => upTo(prompt, match.index + match[0].length, pattern === BECAUSE ? 'because' : 'says')),
  )
  const paid = [...prompt.matchAll(PAID_FOR)].flatMap((match) => upTo(prompt, match.index + match[0].length, 'paid', TOPIC_END))
  const topics = [...prompt.matchAll(ABOUT)].flatMap((match) => upTo(prompt, match.index + match[0].length, 'about', TOPIC_END))
  return [...found, ...paid, ...topics].filter(({ start }, at, all) => all.findIndex((other) => other.start === start) === at)
}

function upTo(prompt: string, start: number, unit: string, end = SENTENCE): Piece[] {
  const rest = prompt.slice(start, start + 2_000)
  const stop = end.exec(rest)
  const length = stop === null ? rest.length : stop.index + (stop[0] === '!' ? 1 : 0)
  const text = withoutThanks(rest.slice(0, length))
  return text === '' ? [] : [{ kind: 'clause', text, start, end: start + text.length, unit }]
}
