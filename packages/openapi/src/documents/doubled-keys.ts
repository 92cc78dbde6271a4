type DoubledKey = { readonly key: string; readonly offset: number }

const MAX_FOUND = 20

/** Keys that stand twice in one object of a valid JSON text: JSON.parse drops the first of them without a word. */
export function doubledKeys(text: string): DoubledKey[] {
  const found: DoubledKey[] = []
  const open: (Set<string> | null)[] = []
  let isKey = false
  for (let at = 0; at < text.length && found.length < MAX_FOUND; at += 1) {
    switch (text[at]) {
      case '{':
        open.push(new Set())
        isKey = true
        break
      case '[':
        open.push(null)
        isKey = false
        break
      case '}':
      case ']':
        open.pop()
        break
      case ',':
        isKey = open.at(-1) !== null
        break
      case ':':
        isKey = false
        break
      case '"': {
        const end = endOfText(text, at)
        if (isKey) note(text.slice(at + 1, end), at, open.at(-1), found)
        at = end
      }
    }
  }
  return found
}

function note(key: string, offset: number, keys: Set<string> | null | undefined, found: DoubledKey[]): void {
  if (keys?.has(key)) found.push({ key, offset })
  keys?.add(key)
}

/** Where the quote is that ends the text begun at `start`. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes += 1
  return slashes % 2 === 1
}
