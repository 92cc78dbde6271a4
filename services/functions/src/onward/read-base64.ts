/**
 * Returns the bytes of base64 or base64url, with or without padding. Ignores blanks and line breaks. Returns a text that says what is wrong,
 * because `Buffer.from` stops at some invalid characters and drops the others.
 */
export function readBase64(text: string): Buffer | string {
  const written = text.replace(/\s+/g, '')
  const end = written.search(/[^A-Za-z0-9+/_-]/)
  const digits = end === -1 ? written : written.slice(0, end)
  const padding = written.slice(digits.length)
  if (!/^={0,2}$/.test(padding)) {
    const stray = /^={1,2}./s.test(padding) ? 'something after its padding' : `the character ${JSON.stringify([...padding.slice(0, 2)][0])}`
    return `is not base64: it has ${stray}`
  }
  const isComplete = digits.length % 4 !== 1 && (padding === '' || written.length % 4 === 0)
  const bytes = Buffer.from(digits, 'base64')
  // Text that was cut off often leaves bits that belong to no byte.
  const tail = digits
    .slice(digits.length - (digits.length % 4))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  if (!isComplete || Buffer.from(tail, 'base64').toString('base64url') !== tail) return 'is not base64: it is not complete'
  return bytes
}
