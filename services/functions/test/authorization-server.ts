import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const REDIRECT_URI = 'https://onward.example/connect/callback'

type Asked = { readonly tokenRequests: number; readonly errors: readonly string[]; readonly calls: number }

/** A real authorization server in a process of its own, with one user and an API behind it. */
export type AuthorizationServer = {
  readonly url: string
  /** What it was asked so far: token requests, the errors that it answered them with, and calls of its API. */
  asked(): Promise<Asked>
  /** Signs in as the user and says yes to all, as a browser would. Gives the query that the browser is sent back with. */
  signIn(authorizationUrl: string): Promise<URLSearchParams>
  close(): Promise<void>
}

export async function startAuthorizationServer(
  options: { firstTokenSeconds?: number; tokenDelayMs?: number; redirectUri?: string; asks?: boolean } = {},
): Promise<AuthorizationServer> {
  const program = fileURLToPath(new URL('authorization-server.mjs', `file://${__dirname}/`))
  // It says on stderr that its Node version is old and its keys are not for production.
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'ignore'] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()))
    child.once('exit', (code) => reject(new Error(`the authorization server ended with ${code}`)))
  })
  return {
    url,
    asked: async () => (await (await fetch(`${url}/asked`, { headers: { connection: 'close' } })).json()) as Asked,
    signIn: (authorizationUrl) => followToCallback(authorizationUrl),
    async close() {
      child.kill()
      await gone
    },
  }
}

/** The client that the server knows under each way to authenticate. */
export function clientOf(method: 'post' | 'basic') {
  return { clientId: `${method}-client`, clientSecret: `secret-of-${method}-client-0123456789` }
}

async function followToCallback(start: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>()
  let next = start
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`the authorization server answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
    if (location.startsWith(REDIRECT_URI)) return new URL(location).searchParams
    next = new URL(location, next).href
  }
  throw new Error('the authorization server redirects without an end')
}
