/**
 * Returns the e-mail address if the provider has verified it. Some providers write true as text. Microsoft Entra ID sends `xms_edov` instead:
 * whether the owner of the domain of the address is verified.
 */
export function verifiedEmailOf({
  email,
  email_verified: verified,
  xms_edov: domainVerified,
}: Readonly<Record<string, unknown>>): string | undefined {
  const says: unknown = verified ?? domainVerified
  const isVerified = says === true || says === 'true' || (verified === undefined && (says === 1 || says === '1'))
  return isVerified && typeof email === 'string' && email !== '' ? email : undefined
}
