import { words } from '../words/words.ts'

/** A word of a text, and how much it counts. */
export type TypedWord = { readonly word: string; readonly weight: number }

/**
 * Values, and the words that stand for them: which function a prompt means depends on whether it has a price or a phone number, not on which
 * one. No English word begins with "zz". The parts of an e-mail address are
 * bounded, because a prompt of "a@a@a@" would take seconds otherwise.
 */
const KINDS: readonly (readonly [RegExp, (...match: string[]) => string])[] = [
  [/[^\s@]{1,64}@[^\s@.]{1,255}(?:\.\w+)+/g, () => ' zzemail '],
  [/https?:\S+/g, () => ' zzurl '],
  [/(?<!\w)\+\d[\d ()-]{6,25}\d/g, () => ' zzphone '],
  [/[$€£]\s?\d[\d.,]*|\d[\d.,]*\s?(?:€|\$|eur|usd|gbp|chf)(?!\w)/gi, () => ' zzmoney '],
  [/(?<!\S)#(?=\d*[a-z_-])([\w-]+)/gi, (_, name) => ` zzchannel ${name} `],
  [/(?<!\S)#\d+/g, () => ' zznumber '],
  [/(?<!\S)@\w+/g, () => ' zzuser '],
  [/\b[A-Z]{2,10}-\d+\b/g, () => ' zzkey '],
  [/\b([a-z]{2,10})_[A-Za-z0-9]{4,}\b/g, (_, prefix) => ` zzid${prefix} `],
  [
    /(?<![\w-])[\w-]{1,60}\.(pdf|png|jpe?g|csv|docx?|xlsx?|pptx?|txt|zip|mp4|mp3|jsonl?|md)\b/gi,
    (_, ending = '') => ` zzfile zz${ending.toLowerCase()} `,
  ],
  [/\b(?=[A-Za-z]{0,60}\d)(?=\d{0,60}[A-Za-z])[A-Za-z0-9]{8,60}\b/g, (id) => ` zzid${id.slice(0, 3).replace(/\d/g, '')} `],
  [/\b\d{7,}\b/g, () => ' zzlong '],
]

/** What follows is the text of a message, or a value. */
const MESSAGE = /^(.{12,}?)(?::\s|\s[“"']|,?\s(?:that|saying)\s)(.+)$/is
/** What follows is a further request. */
const FURTHER = /^(.{15,}?)(?:[.;?!]\s|,?\s(?:and then|and|then)\s)(.{10,})$/is
/** How much a word counts in the text of a message, and in a further request. */
const LESS = 0.5

/** Returns the distinct words of a prompt. Words of a message's text, and words after the first request, count less. */
export function typedWords(prompt: string): TypedWord[] {
  const weights = new Map<string, number>()
  for (const { text, weight } of split(split([{ text: prompt, weight: 1 }], MESSAGE), FURTHER)) {
    for (const word of words(KINDS.reduce((left, [kind, name]) => left.replace(kind, name), text))) {
      const name = word.replace(/\d+/g, '0')
      weights.set(name, Math.max(weights.get(name) ?? 0, weight))
    }
  }
  return [...weights].map(([word, weight]) => ({ word, weight }))
}

/** Returns the distinct words of a function's text. */
export function textWords(text: string): TypedWord[] {
  return [...new Set(words(text))].map((word) => ({ word: word.replace(/\d+/g, '0'), weight: 1 }))
}

/** Returns what a prompt asks for after its first request; undefined if it asks for one thing. */
export function furtherRequest(prompt: string): string | undefined {
  return FURTHER.exec(MESSAGE.exec(prompt)?.[1] ?? prompt)?.[2]
}

type Part = { readonly text: string; readonly weight: number }

function split(parts: readonly Part[], by: RegExp): Part[] {
  return parts.flatMap(({ text, weight }) => {
    const [, first, rest] = by.exec(text) ?? []
    return first === undefined || rest === undefined
      ? [{ text, weight }]
      : [
          { text: first, weight },
          { text: rest, weight: weight * LESS },
        ]
  })
}
