/** Date and phone number parsers take up to 15 ms for this many characters, and cannot be interrupted. */
const CHUNK_CHARACTERS = 500

/** A part of a text. `start` is its UTF-16 offset. */
export type Chunk = { readonly text: string; readonly start: number }

/** Cuts a long text into chunks: after a sentence or line where possible, or else before a space. */
export function chunksOf(text: string): Chunk[] {
  const chunks: Chunk[] = []
  for (let start = 0; start < text.length; ) {
    const rest = text.slice(start, start + CHUNK_CHARACTERS)
    const end = start + rest.length < text.length ? cutAt(rest) : rest.length
    chunks.push({ text: rest.slice(0, end), start })
    start += end
  }
  return chunks
}

function cutAt(text: string): number {
  const sentence = Math.max(...['. ', '! ', '? ', '\n'].map((mark) => text.lastIndexOf(mark) + 1))
  if (sentence > CHUNK_CHARACTERS / 2) return sentence
  const space = text.lastIndexOf(' ')
  return space > 0 ? space : text.length
}
