/** Whether a text is a URL. Node 20's own `URL.canParse` says no to letters such as ü once it has been optimised. */
export function isUrl(text: string, origin?: string | URL): boolean {
  try {
    return new URL(text, origin) instanceof URL
  } catch {
    return false
  }
}
