import { findPhoneNumbersInText } from 'libphonenumber-js/min'
import type { Steps } from '../../in-slices.ts'
import type { Kind, Piece } from './piece.ts'
import { chunksOf } from './prompt.ts'

/** In order of priority: a later pattern does not match text that an earlier one matched. */
const PATTERNS: readonly (readonly [Kind, RegExp])[] = [
  ['tag', /\{[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*\}/g],
  ['url', /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]]/gi],
  ['email', /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g],
  ['address', /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?(?!\.?\d)/g],
  ['code', /(?<!\S)-?\d{1,3}\.\d{2,}, ?-?\d{1,3}\.\d{2,}(?!\d)/g],
  [
    'address',
    /(?<![\p{L}\p{N}/.@-])(?:[a-z0-9-]{1,63}\.){1,4}(?:com|org|net|io|dev|app|edu|gov|eu|de|uk|fr)(?![\p{L}\p{N}/.-]\p{L}|\p{L})/giu,
  ],
  [
    'file',
    /(?<![\p{L}\p{N}/])(?:~?\/)?(?:[\p{L}\p{N}_.-]+\/){0,12}[\p{L}\p{N}_-]+\.(?:[a-z]{2,4}|[a-z]{2}\d|m4a|mp3|mp4|7z|h5)(?![\p{L}\p{N}])/gu,
  ],
  ['file', /(?<![\p{L}\p{N}:/])(?:~|\.)?(?:\/[\p{L}\p{N}_.-]+){2,12}/gu],
  ['code', /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}_]{1,40}!)?[A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7}(?![\p{L}\p{N}])/gu],
  ['slug', /(?<![\p{L}\p{N}/.:-])[A-Za-z][\w.-]*[A-Za-z0-9]\/[A-Za-z][\w.-]*[A-Za-z0-9](?![\p{L}\p{N}/])/gu],
  ['handle', /(?<![\p{L}\p{N}&])[#@][\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?/gu],
  ['id', /(?<![\p{L}\p{N}$€£_])(?=[\p{L}_-]*\d)(?=[\d_-]*\p{L})[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*(?![\p{L}\p{N}_])/gu],
  ['id', /(?<![\p{L}\p{N}_])[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+(?![\p{L}\p{N}_])/gu],
]
/** Numbers with a unit or suffix, such as "3pm", "21st", "5km", "1.5k" and "8-year-old". */
const NOT_AN_ID =
  /^(?:\d+(?:st|nd|rd|th|am|pm|k|m|bn?|x|px|kg|g|mg|km|cm|mm|mi|ft|lbs?|oz|h|hrs?|min|mins|s|ms|kb|mb|gb|tb|l|ml|w|kw|hp|usd|eur)|\d+-\p{L}+(?:-\p{L}+)*|\d+[dt]\d*)$/iu

/** Finds pieces with a distinctive form: addresses, ids, files, handles, coordinates, `{tags}` and phone numbers. */
export function* findPatterns(prompt: string): Steps<Piece[]> {
  const found: Piece[] = []
  for (const [kind, pattern] of PATTERNS) {
    for (const match of prompt.matchAll(pattern)) {
      if ((kind === 'id' && NOT_AN_ID.test(match[0])) || /^#\d+$/.test(match[0])) continue
      add({ kind, text: match[0], start: match.index, end: match.index + match[0].length })
    }
    yield
  }
  for (const chunk of chunksOf(prompt)) {
    if (!/\d{3}/.test(chunk.text)) continue
    yield
    for (const { startsAt, endsAt } of findPhoneNumbersInText(chunk.text, 'US')) {
      const start = chunk.start + startsAt - (chunk.text[startsAt - 1] === '+' ? 1 : 0)
      const end = chunk.start + endsAt
      add({ kind: 'phone', text: prompt.slice(start, end), start, end })
    }
  }
  return found

  function add(one: Piece): void {
    if (!found.some(({ start, end }) => one.start < end && one.end > start)) found.push(one)
  }
}
