/** Where a text stops being JSON, and what the parser said of it. */
export function whereJsonBreaks(text: string, message: string): { readonly offset: number; readonly what: string } {
  const what = message.replace(/,? (?:\.\.\.)?".*$/s, '').replace(/ (?:in JSON )?at position .*$/s, '')
  const offset = positionIn(message) ?? (/end of JSON input/.test(message) ? text.length : firstBad(text))
  return { offset, what }
}

/** The parser does not always tell the place: it is after the longest beginning of the text that only lacks its end. */
function firstBad(text: string): number {
  let good = 0
  let bad = text.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (onlyLacksEnd(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return good
}

function onlyLacksEnd(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as Error
    return /end of JSON input|Unterminated/.test(message) || (positionIn(message) ?? -1) >= text.length
  }
}

function positionIn(message: string): number | undefined {
  const [, position] = / at position (\d+)/.exec(message) ?? []
  return position === undefined ? undefined : Number(position)
}
