import type { Scheme } from '@onward/catalog'
import type { Reach } from '@onward/runtime'

/**
 * Where the form of a page may lead: browsers hold every redirect after it against the page's policy. The provider sends a user on to
 * other hosts of its own, so for it any host is let pass; a form for secrets leads nowhere else.
 */
export function formTargets(scheme: Scheme, reach: Reach): string[] {
  if (scheme.type === 'oauth2') return reach === 'local' ? ['https:', 'http:'] : ['https:']
  return []
}
