import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto'
import { type Credentials, fillAccountText, type JwtBearerScheme } from '@onward/catalog'
import { SignJWT } from 'jose'
import { OAuthError } from './oauth-error.ts'

/** Some servers take no assertion that lives longer. */
const LIFE = '60s'

/** The assertion of a service account (RFC 7523): a JWT signed with its private key. Throws an OAuthError when the key is none. */
export async function makeAssertion(scheme: JwtBearerScheme, account: Credentials, tokenUrl: string): Promise<string> {
  const { issuer = '', subject, private_key: pem = '' } = account
  // Servers differ in where they look for the scopes: the claim, or the parameter of the request.
  const jwt = new SignJWT(scheme.scopes === undefined ? {} : { scope: scheme.scopes.join(scheme.scope_separator ?? ' ') })
    .setProtectedHeader({ alg: scheme.algorithm ?? 'RS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(scheme.audience === undefined ? tokenUrl : fillAccountText(scheme.audience, account))
    .setIssuedAt()
    .setExpirationTime(LIFE)
    .setJti(randomUUID())
  if (subject) jwt.setSubject(subject)
  try {
    return await jwt.sign(readKey(pem))
  } catch {
    throw new OAuthError('invalid', `the private key is no PEM key for ${scheme.algorithm ?? 'RS256'}`, 'invalid_client')
  }
}

/** Copied out of a JSON file, a key has its line breaks as `\n`. */
function readKey(pem: string): KeyObject {
  return createPrivateKey(pem.replaceAll('\\n', '\n'))
}
