import { PAGE_HEADERS, Refusal } from '@onward/runtime'
import express, { type RequestHandler, type Response } from 'express'

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

/** Returns handlers that serve files with a hash in their names for a year. A missing one is never answered with a page. */
export function serveAssets(folder: string, headers: Readonly<Record<string, string>>): RequestHandler[] {
  const setHeaders = (res: Response) => res.set({ ...headers, 'Cache-Control': 'public, max-age=31536000, immutable' })
  const refuse = () => {
    throw new Refusal('not_found', 'there is no such file')
  }
  return [express.static(folder, { ...FILES, setHeaders }), refuse]
}
