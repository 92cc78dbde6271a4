/** Far below the depth at which recursion fails, so that any value we accept can also be written as JSON again. */
const MAX_DEPTH = 500
/**
 * Maximum number of commas, colons and opening brackets: each value and each key has one. A size limit alone does not limit the cost of a
 * value. At this limit, reading and writing 2 MB of small objects takes 0.25 s of CPU (0.5 s with secrets to redact) and 30 MB of memory.
 */
const MAX_MARKS = 300_000

/** Parses a JSON text. Returns undefined when it is not JSON, or exceeds the limits on depth and number of values. */
export function readJson(text: string): unknown {
  // Most long texts that are not JSON, such as CSV, differ at once.
  if (!/^\s*(?:[[{"\d-]|true|false|null)/.test(text) || exceedsLimits(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns whether a JSON text is nested too deeply, or holds too many values, to be parsed. Scans the text without parsing it. */
export function exceedsLimits(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false
  let depth = 0
  let marks = 0
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case '"':
        i = endOfString(text, i)
        break
      case '[':
      case '{':
        depth++
        marks++
        break
      case ']':
      case '}':
        depth--
        break
      case ',':
      case ':':
        marks++
    }
    if (depth > MAX_DEPTH || marks > MAX_MARKS) return true
  }
  return false
}

/** Returns the position of the quote that closes the string which starts at `start`. */
function endOfString(text: string, start: number): number {
  // `indexOf` is many times faster than a comparison of each character.
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
