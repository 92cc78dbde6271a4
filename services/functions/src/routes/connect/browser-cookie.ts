import type { Request, Response } from 'express'

/** Ties what was begun to the browser that began it. `__Host-` keeps other hosts from setting it; browsers take that over https only. */
const SECURE_NAME = '__Host-onward-connect'
const PLAIN_NAME = 'onward-connect'

/** Longer than a login link and the session that was opened with it last together. */
const MAX_AGE_SECONDS = 3_600

export function readBrowserCookie(req: Request, publicUrl: string): string | undefined {
  const name = nameFor(publicUrl)
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([key]) => key === name)?.[1]
}

/** Lax: it must come along when the provider sends the browser back. */
export function writeBrowserCookie(res: Response, publicUrl: string, value: string): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  res.append('Set-Cookie', `${nameFor(publicUrl)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_SECONDS}${secure}`)
}

function nameFor(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? SECURE_NAME : PLAIN_NAME
}
