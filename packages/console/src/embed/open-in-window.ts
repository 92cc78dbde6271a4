const SIZE = 'popup,width=520,height=760'
const CLOSED_EVERY_MS = 300

/**
 * Opens an address in a new window, and resolves when the window is closed. The window opens empty within the press, because browsers block
 * windows that open later. If it was blocked, resolves to the address. Rejects if `urlOf` does.
 */
export async function openInWindow(urlOf: () => Promise<string>): Promise<string | undefined> {
  const opened = window.open('', '_blank', SIZE)
  try {
    const url = await urlOf()
    if (opened === null) return url
    opened.location.replace(url)
  } catch (err) {
    opened?.close()
    throw err
  }
  while (!opened.closed) await new Promise((resolve) => setTimeout(resolve, CLOSED_EVERY_MS))
  return undefined
}
