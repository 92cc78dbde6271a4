/**
 * An e-mail address; a host of three names; one with a port, a path or a query after it. "Ask Arxiv.org" says which app is meant, as any
 * name does: it is none.
 */
const ADDRESS = /\S@|[\p{L}\p{N}]\.[\p{L}\p{N}-]{1,63}(?:\.\p{L}{2}|[/:?#]\S)|:\d+\//u

/** A text without addresses, with a scheme or not: each goes to the next blank. */
export function withoutAddresses(text: string): string {
  return text.replace(/(?:https?:|:\/\/|\bwww\.)\S*/gi, ' ').replace(/\S+/g, (piece) => (ADDRESS.test(piece) ? ' ' : piece))
}
