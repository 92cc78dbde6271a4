import { wellFormed } from '../template/encoding.ts'

/** Bytes of one encoded word: base64 makes them 60 characters, and an encoded word has at most 75 (RFC 2047, 2). */
const MAX_BYTES = 45

/**
 * Writes a text for the header of a mail. Encodes it if it contains anything but printable ASCII (RFC 2047). Breaks it at blanks into lines of
 * 76 characters, because mail servers refuse lines of 1,000 (RFC 5322, 2.1.1).
 */
export function headerText(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.replace(/(?=.{77})(.{1,76}) /g, '$1\r\n ')
  const words = ['']
  for (const char of wellFormed(text)) {
    const word = `${words.at(-1)}${char}`
    if (Buffer.byteLength(word) > MAX_BYTES) words.push(char)
    else words[words.length - 1] = word
  }
  // Receivers drop the line breaks and blanks between encoded words.
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ')
}

/** Writes `Name <address>` or an address for the header of a mail. Only the name may be encoded. */
export function headerAddress(text: string): string {
  const [, name, address] = /^\s*(.*?)\s*(<[!-~]+>)\s*$/su.exec(text) ?? []
  if (name === undefined || /^[ -~]*$/.test(name)) return headerText(text)
  return `${headerText(name.replace(/^"(.*)"$/su, '$1').replace(/\\(.)/gsu, '$1'))} ${address}`
}
