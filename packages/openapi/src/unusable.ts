/** Thrown for the part of a document that can't become a function; the message is the reason that the report gives. */
export class Unusable extends Error {
  override readonly name = 'Unusable'
}
