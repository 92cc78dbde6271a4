import type { Request, Response } from 'express'

/** Sets a cookie that scripts cannot read and that no other site can send. `null` deletes it. */
export function setCookie(res: Response, name: string, value: string | null, secure: boolean, expires = new Date(0)): void {
  res.cookie(name, value ?? '', { httpOnly: true, sameSite: 'strict', secure, path: '/', expires: value === null ? new Date(0) : expires })
}

/** Returns the value of a cookie; undefined if it is missing or sent twice, which only another host of the same domain can cause. */
export function readCookie({ headers }: Request, name: string): string | undefined {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [key, ...value] = pair.split('=')
    return key?.trim() === name ? [value.join('=').trim()] : []
  })
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}
