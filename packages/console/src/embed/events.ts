import type { EmbedView } from '@onward/contract'
import type { EmbedSettings } from './settings.ts'

/**
 * What the page tells the page that shows it in a frame. `height` is in CSS pixels. After `expired`, and after `error` with the code
 * `link_invalid`, a new link is needed.
 */
export type EmbedEvent =
  | { readonly type: 'ready'; readonly views: readonly EmbedView[] }
  | { readonly type: 'height'; readonly height: number }
  | { readonly type: 'expired' }
  | { readonly type: 'connected' | 'disconnected'; readonly connected_account_id: number }
  | { readonly type: 'error'; readonly code: string }

/** Rises when an event changes in a way that breaks receivers. */
const VERSION = 1

/** Returns a function that sends events to the parent page, never to another origin. It does nothing outside a frame. */
export function openEvents({ parentOrigins }: Pick<EmbedSettings, 'parentOrigins'>): (event: EmbedEvent) => void {
  if (!isFramed()) return () => {}
  const targets = targetsAmong(parentOrigins)
  return (event) => {
    for (const origin of targets) parent.postMessage({ source: 'onward-embed', version: VERSION, ...event }, origin)
  }
}

export function isFramed(): boolean {
  return parent !== window
}

/** Returns the parent's origin, or all allowed origins if the browser hides it. Browsers deliver only to a matching origin. */
function targetsAmong(allowed: readonly string[]): readonly string[] {
  const known = location.ancestorOrigins?.[0] ?? (URL.canParse(document.referrer) ? new URL(document.referrer).origin : undefined)
  if (known === undefined) return allowed
  return allowed.includes(known) ? [known] : []
}
