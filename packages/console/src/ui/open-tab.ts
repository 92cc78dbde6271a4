/**
 * Opens an address in a new tab, without a way back to this one. The tab opens empty within the press, because browsers block tabs that open
 * later. Without an address, and if `urlOf` rejects, the tab is closed. Resolves to the address.
 */
export async function openTab(urlOf: () => Promise<string | undefined>): Promise<{ url: string | undefined; blocked: boolean }> {
  const tab = window.open('about:blank')
  if (tab !== null) tab.opener = null
  let url: string | undefined
  try {
    url = await urlOf()
  } finally {
    if (url === undefined) tab?.close()
  }
  if (url !== undefined) tab?.location.replace(url)
  return { url, blocked: tab === null }
}
