import type { OAuthScheme } from '@onward/catalog'

/** The scheme's issuer. The library wants one always; what stands for an unknown one is never compared with anything. */
export function issuerOf(scheme: OAuthScheme): string {
  return (scheme.type === 'oauth2' ? scheme.issuer : undefined) ?? 'https://unknown.invalid'
}
