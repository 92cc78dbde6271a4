const encoder = new TextEncoder()

/** Returns the HMAC-SHA256 of a text. */
async function hmac(secret: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}

/** Returns the `Hash` of a user: 64 hexadecimal digits. Compute it only on your server. */
export async function hashUserId(appSecret: string, userId: string): Promise<string> {
  const bytes = await hmac(encoder.encode(appSecret), userId)
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Returns a user id as the value of a header: `fetch` writes each character of a header as one byte, so these characters are the bytes of
 * the id in UTF-8. Throws a TypeError for an id that Onward refuses.
 */
export function userIdHeader(userId: string): string {
  // Servers remove the other characters or reject them, and the hash of a shortened id would be wrong.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
  if (userId === '' || userId === '.' || userId === '..' || /[\u0000-\u001f\u007f]|^ | $/.test(userId)) {
    throw new TypeError('the user id must not be empty, . or .., contain control characters, or begin or end with a space')
  }
  return String.fromCharCode(...encoder.encode(userId))
}
