import type { ServerResponse } from 'node:http'
import { PAGE_HEADERS, Refusal } from '@onward/runtime'
import type { RequestHandler } from 'express'
import serveCompressed from 'express-static-gzip'

export const HEADERS = { ...PAGE_HEADERS, 'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' } as const

/** What a page loads: nothing from other hosts, and no inline script. Scripts cannot write markup into it. */
export const SOURCES = {
  'script-src': `'self'`,
  'style-src': `'self'`,
  'img-src': `'self' data:`,
  'font-src': `'self'`,
  'connect-src': `'self'`,
  'worker-src': `'none'`,
  'base-uri': `'none'`,
  'require-trusted-types-for': `'script'`,
  'trusted-types': `'none'`,
} as const

/** Options of `express.static`. */
export const FILES = { index: false, redirect: false, cacheControl: false } as const

/**
 * Returns handlers that serve files with a hash in their names for a year, compressed as the build has done it. A missing one is never answered
 * with a page.
 */
export function serveAssets(folder: string, headers: Readonly<Record<string, string>>): RequestHandler[] {
  const all = new Map(Object.entries({ ...headers, 'Cache-Control': 'public, max-age=31536000, immutable' }))
  const setHeaders = (res: ServerResponse) => res.setHeaders(all)
  const refuse = () => {
    throw new Refusal('not_found', 'there is no such file')
  }
  return [
    serveCompressed(folder, { enableBrotli: true, orderPreference: ['br', 'gz'], index: false, serveStatic: { ...FILES, setHeaders } }),
    refuse,
  ]
}
