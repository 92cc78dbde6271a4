/** The policy of a page that loads nothing from other hosts and runs no inline script. Scripts cannot write markup into it. */
export const PAGE_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `worker-src 'none'`,
  `base-uri 'none'`,
  `require-trusted-types-for 'script'`,
  `trusted-types 'none'`,
] as const

export const PAGE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

/** For files with a hash in their names. */
export const FOR_EVER = 'public, max-age=31536000, immutable'
/** Options of `express.static`. */
export const FILES = { index: false, redirect: false, cacheControl: false } as const
