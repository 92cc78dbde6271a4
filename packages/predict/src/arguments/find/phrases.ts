import { type Piece, pieceOf } from './piece.ts'
import { isGrammar, type Word, withoutThanks } from './prompt.ts'

/** Finds runs of capitalized words. The first word of a sentence is mostly a verb, so it does not begin a name. */
export function findNames(words: readonly Word[]): Piece[] {
  const runs: [Word, ...Word[]][] = []
  let open = false
  for (const [at, word] of words.entries()) {
    const isFirst = at === 0 || /[.!?\n]/.test(word.before)
    if (open && /^(?: |-|\. |\.|&| & |')$/.test(word.before) && (isCapital(word) || /^\p{N}+$/u.test(word.text))) {
      runs.at(-1)?.push(word)
    } else {
      open = isCapital(word) && !isFirst
      if (open) runs.push([word])
    }
  }
  return runs.map((run) => pieceOf('name', run))
}

function isCapital({ text, lower }: Word): boolean {
  return /^\p{Lu}/u.test(text) && !isGrammar(lower) && !/^(?:api|id|ip|url|hi|hello|ok|yes)$/.test(lower)
}

const MAX_WORDS = 7

/** Finds runs of words without function words: "criminal judicial decisions", "boiling water reactor". */
export function findPhrases(words: readonly Word[]): Piece[] {
  const found: Piece[] = []
  let run: Word[] = []
  for (const [at, word] of words.entries()) {
    const verb =
      /(?:\p{L}{3}ed|closing|starting)$/u.test(word.lower) && /^(?:by|as|on|at|in|to|for|with|from)$/.test(words[at + 1]?.lower ?? '')
    const opens = at === 0 || /[.!?]\s/.test(word.before)
    const idle = opens || verb || isGrammar(word.lower)
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

const CLAUSES: readonly (readonly [start: RegExp, end: RegExp, unit: string])[] = [
  [SAYS_CLAUSE, SENTENCE, 'says'],
  [THAT, SENTENCE, 'says'],
  [BECAUSE, SENTENCE, 'because'],
  [PAID_FOR, TOPIC_END, 'paid'],
  [ABOUT, TOPIC_END, 'about'],
]

/** Finds the content of messages, reasons, and topics. */
export function findClauses(prompt: string): Piece[] {
  const found = CLAUSES.flatMap(([pattern, end, unit]) =>
    [...prompt.matchAll(pattern)].map((match): Piece => {
      const start = match.index + match[0].length
      const rest = prompt.slice(start, start + 2_000)
      const stop = end.exec(rest)
      const text = withoutThanks(rest.slice(0, stop === null ? rest.length : stop.index + (stop[0] === '!' ? 1 : 0)))
      return { kind: 'clause', text, start, end: start + text.length, unit }
    }),
  )
  return found.filter(({ text, start }, at) => text !== '' && found.findIndex((other) => other.start === start) === at)
}
