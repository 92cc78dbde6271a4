/** The one redirect URI of ours: what an application enters where it registers its OAuth client. */
export function callbackUrl(publicUrl: string): string {
  return `${publicUrl}/connect/callback`
}
