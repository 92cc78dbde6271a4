import { MARK } from './insertions.ts'
import { ExactNumber, isExact } from './raw-json.ts'

/** A string, or a number with a digit or sign that a JavaScript number could write in another way. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** What a text contains that has a number which JavaScript writes in another way. Most other texts do not contain it. */
const MAY_BE_INEXACT = /[\d.]{16}|\d[eE]|-0|\.\d*0|0\.000000/

/**
 * Parses JSON like `JSON.parse`. Numbers that JavaScript would write in another way become `ExactNumber`. Throws a SyntaxError when the text is not JSON.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!MAY_BE_INEXACT.test(text)) return value
  const marked = text.replace(TOKEN, (token) => (token[0] === '"' || isExact(token) ? token : `"${MARK}${token}"`))
  return JSON.parse(marked, (_key, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? new ExactNumber(value.slice(MARK.length)) : value,
  )
}
