import type { Request, Response } from 'express'

/** Returns the name of a cookie. With the prefix, browsers accept it only over HTTPS, for this host alone. */
function cookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}

/** `maxAgeMs` is a lifetime in milliseconds, which takes the place of `expires`. */
type Options = { readonly secure: boolean; readonly expires?: Date; readonly maxAgeMs?: number; readonly sameSite?: 'strict' | 'lax' }

/** Sets a cookie that scripts cannot read and, if `strict`, that no other site can send. `null` without a lifetime deletes it. */
export function setCookie(res: Response, name: string, value: string | null, options: Options): void {
  const { secure, expires = new Date(0), maxAgeMs: maxAge, sameSite = 'strict' } = options
  res.cookie(cookieName(name, secure), value ?? '', { httpOnly: true, sameSite, secure, path: '/', expires, maxAge })
}

/** Returns the value of a cookie; undefined if it is missing or sent twice, which only another host of the same domain can cause. */
export function readCookie({ headers }: Request, name: string, secure: boolean): string | undefined {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [key, ...value] = pair.split('=')
    return key?.trim() === cookieName(name, secure) ? [value.join('=').trim()] : []
  })
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}
