import type { Language } from '@onward/texts'
import type { Audited } from './audit.ts'
import type { Reply } from './pages/page.ts'
import { isToken, newToken } from './session.ts'

/** A request of a browser for a page. */
export type PageVisit = Audited & {
  /** Our address for browsers. */
  readonly publicUrl: string
  /** The browser's cookie, if it has one. */
  readonly browser: string | undefined
  /** The language of the browser. */
  readonly language: Language
  /** The token in the path of a page that a link opens; "" for other pages. */
  readonly token: string
}

/** The reply to a browser, and the cookie that it must have from now on. */
export type Bound = { readonly reply: Reply; readonly browser: string }

/** Returns the cookie that the browser must have from now on. */
export function browserOf({ browser }: PageVisit): string {
  return isToken(browser) ? browser : newToken()
}
