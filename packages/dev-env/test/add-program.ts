import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const CALLBACK = 'http://localhost:4711/callback'

/**
 * Does what a person does who adds an MCP URL to a program: opens the sign-in link, lets the program have what it asks for, and uses it. The program
 * is the official client. Returns its connection.
 */
export async function addProgram(link: string, mcpUrl: string): Promise<Client> {
  const browser = openBrowser()
  await browser.press(await browser.open(link), 'Sign in')
  const stored: { client?: unknown; tokens?: unknown; verifier?: string; url?: URL; discovery?: unknown } = {}
  const authProvider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: 'Program', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
    clientInformation: () => stored.client as never,
    saveClientInformation: (client) => void Object.assign(stored, { client: client }),
    tokens: () => stored.tokens as never,
    saveTokens: (tokens) => void Object.assign(stored, { tokens: tokens }),
    redirectToAuthorization: (url) => void Object.assign(stored, { url: url }),
    saveCodeVerifier: (verifier) => void Object.assign(stored, { verifier: verifier }),
    codeVerifier: () => stored.verifier ?? '',
    saveDiscoveryState: (state) => void Object.assign(stored, { discovery: state }),
    discoveryState: () => stored.discovery as never,
  }
  const transport = () => new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider })
  const first = transport()
  await new Client({ name: 'program', version: '1' }).connect(first).catch(() => undefined)
  const consent = await browser.open(stored.url?.href ?? '')
  const allowed = await browser.press(consent, 'Allow', { days: '30' })
  await first.finishAuth(new URL(allowed.headers.get('location') ?? '').searchParams)
  const client = new Client({ name: 'program', version: '1' })
  await client.connect(transport())
  return client
}

/** A browser without scripts. It keeps cookies and follows no redirect. */
function openBrowser() {
  const cookies = new Map<string, string>()
  async function request(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map((each) => each.join('=')).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie, origin: new URL(url).origin } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  return {
    open: (url: string) => request(url),
    /** Presses a button: sends the form of a page with what is filled in already, and with `more`. */
    async press(page: Response, button: string, more: Readonly<Record<string, string>> = {}): Promise<Response> {
      const text = await page.text()
      const [pressed, ...sent] = new RegExp(`<button[^>]*?(?: name="(\\w+)" value="(\\w+)")?>${button}</button>`).exec(text) ?? []
      if (pressed === undefined) throw new Error(`the page has no button "${button}"`)
      const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? ''
      const filled = [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"|name="([^"]+)" value="([^"]*)" checked/g)]
      const fields = filled.map(([, hidden, value, ticked, chosen]): [string, string] => [hidden ?? ticked ?? '', value ?? chosen ?? ''])
      const [name, value = ''] = sent
      const pair: [string, string][] = name === undefined ? [] : [[name, value]]
      const body = new URLSearchParams([...fields, ...Object.entries(more), ...pair])
      return await request(new URL(action, page.url).href, { method: 'POST', body })
    },
  }
}
