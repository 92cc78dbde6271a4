// Runs before the code of the page is loaded. Applies the stored theme and density before the first paint; `src/ui/preference.ts` stores them.
try {
  const { dataset } = document.documentElement
  const theme = localStorage.getItem('onward-theme')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  if (localStorage.getItem('onward-density') === 'compact') dataset.density = 'compact'
} catch {
  // A browser that forbids storage follows the system.
}
// Asks who is signed in while the code is loaded. `src/api/request.ts` takes the responses. A sign-in link begins another session.
if (!location.hash.startsWith('#code=')) {
  const session = new URL('api/insights/admin/session', document.currentScript.src).href
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json', 'X-Onward-Console': '1' }
  const sent = { headers, cache: 'no-store', redirect: 'error' }
  const renewed = fetch(`${session}/renew`, { ...sent, method: 'POST', body: '{}' })
  const read = renewed.then(() => fetch(session, sent))
  for (const response of [renewed, read]) response.catch(() => {})
  globalThis.firstResponses = new Map([
    [`POST ${session}/renew`, renewed],
    [`GET ${session}`, read],
  ])
}
