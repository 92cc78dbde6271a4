/** Far below what recursion can take, so that whatever is passed on can be written as JSON wherever it goes. */
const MAX_DEPTH = 500
/**
 * Commas, colons and opening brackets, of which each value and each key has one: bytes do not bound what values cost. The worst of so many
 * (objects of other keys each, 2 MB of text) take 0.25 s of CPU to be read and written again, 0.5 s where secrets are replaced, and 30 MB.
 */
const MAX_MARKS = 300_000

/** The value of a JSON text; undefined when it is none, or is too much to be read. */
export function readJson(text: string): unknown {
  if (isTooMuch(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a JSON text is nested too deep, or holds too many values, to be passed on as a value. */
export function isTooMuch(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false
  let depth = 0
  let marks = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (quoted) {
      if (char === 0x5c) i++
      else if (char === 0x22) quoted = false
      continue
    }
    switch (char) {
      case 0x22: // "
        quoted = true
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH || ++marks > MAX_MARKS) return true
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x2c: // ,
      case 0x3a: // :
        if (++marks > MAX_MARKS) return true
    }
  }
  return false
}
