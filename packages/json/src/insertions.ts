/**
 * Stands for an inserted text until the JSON around it is written. It is random and never leaves this package, so no value that is read from
 * outside contains it.
 */
export const MARK = `\u{e000}${crypto.getRandomValues(new Uint32Array(8)).join('-')}`

let texts: string[] | undefined

/** Runs `write`, and returns its result and the texts that were inserted while it ran. */
export function collectInsertions(write: () => string): { json: string; inserted: readonly string[] } {
  const inserted: string[] = []
  texts = inserted
  try {
    return { json: write(), inserted }
  } finally {
    texts = undefined
  }
}

/** Notes a text for insertion and returns what stands in its place; undefined when `collectInsertions` is not running. */
export function insert(text: string): string | undefined {
  if (texts === undefined) return undefined
  texts.push(text)
  return MARK
}
