import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, for a URL, a form or a cookie. Only their hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function isToken(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text)
}

export function isHashOf(hash: Buffer, token: string): boolean {
  return timingSafeEqual(hash, hashToken(token))
}
