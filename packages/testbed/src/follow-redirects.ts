/**
 * Follows redirects as a browser does, with cookies, until one leads to an address that begins with `end`, and returns that address. `next`
 * may change each address before it is requested. Throws if a response is no redirect, or after ten of them.
 */
export async function followRedirects(start: string, end: string, next: (url: URL) => URL = (url) => url): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = start
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
    const target = new URL(location, url)
    if (target.href.startsWith(end)) return target
    url = next(target).href
  }
  throw new Error(`more than ten redirects from ${start}`)
}
