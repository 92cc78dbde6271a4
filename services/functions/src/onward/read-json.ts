/** Far below the depth at which recursion fails, so that any value we accept can also be written as JSON again. */
const MAX_DEPTH = 500
/**
 * Maximum number of commas, colons and opening brackets: each value and each key has one. A size limit alone does not limit the cost of a
 * value. At this limit, reading and writing 2 MB of small objects takes 0.25 s of CPU (0.5 s with secrets to redact) and 30 MB of memory.
 */
const MAX_MARKS = 300_000

/** Parses a JSON text. Returns undefined when it is not JSON, or exceeds the limits on depth and number of values. */
export function readJson(text: string): unknown {
  if (exceedsLimits(text)) return undefined
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
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"') return i
  }
  return text.length
}
