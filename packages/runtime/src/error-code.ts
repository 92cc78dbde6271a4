/** Returns the `code` of an error: an SQLSTATE, or a code of Node or of the system such as ECONNREFUSED. Undefined if it has none. */
export function codeOf(err: unknown): string | undefined {
  const code: unknown = Object(err).code
  return typeof code === 'string' ? code : undefined
}
