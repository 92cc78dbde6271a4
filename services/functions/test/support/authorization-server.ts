import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { followRedirects } from '@onward/testbed'
import { accountsOf, loginUrlOf, openBrowser, type Page } from './connecting.ts'
import { appFile, openWithApps } from './oauth-support.ts'

export const REDIRECT_URI = 'https://onward.example/connect/callback'

type Requests = { readonly tokenRequests: number; readonly errors: readonly string[]; readonly calls: number }

/** A real authorization server in its own process, with one user and an API. */
export type AuthorizationServer = {
  readonly url: string
  /** Returns the number of token requests and API calls so far, and the errors of the token requests. */
  requests(): Promise<Requests>
  /** Signs in as the user and grants access, as a browser does. Returns the query of the callback. */
  signIn(authorizationUrl: string): Promise<URLSearchParams>
  close(): Promise<void>
}

export async function startAuthorizationServer(
  options: { firstTokenSeconds?: number; tokenDelayMs?: number; redirectUri?: string; asks?: boolean } = {},
): Promise<AuthorizationServer> {
  const program = fileURLToPath(new URL('authorization-server.mjs', `file://${__dirname}/`))
  // Its warnings about the Node version and development keys on stderr are not relevant here.
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'ignore'] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()))
    child.once('exit', (code) => reject(new Error(`the authorization server ended with ${code}`)))
  })
  return {
    url,
    requests: async () => (await (await fetch(`${url}/requests`, { headers: { connection: 'close' } })).json()) as Requests,
    signIn: async (authorizationUrl) => (await followRedirects(authorizationUrl, REDIRECT_URI)).searchParams,
    async close() {
      child.kill()
      await gone
    },
  }
}

/** Returns the client that the server knows for each way to authenticate. */
export function clientOf(method: 'post' | 'basic') {
  return { clientId: `${method}-client`, clientSecret: `secret-of-${method}-client-0123456789` }
}

/**
 * Starts the service with three apps whose users sign in at a real authorization server: `oak`; `elm`, which needs a setting first;
 * and `ash`, which also accepts an access token and has no OAuth client yet.
 */
export async function openSigningIn(provider: AuthorizationServer) {
  const { url } = provider
  const oauth2 = {
    type: 'oauth2',
    authorization_url: `${url}/auth`,
    token_url: `${url}/token`,
    revocation_url: `${url}/token/revocation`,
    issuer: url,
    scopes: ['openid', 'offline_access'],
    authorization_parameters: { prompt: 'consent' },
  }
  const identity = { function: 'get-me', name: '/name', id: '/id' }
  const team = { team: { title: 'Team', description: 'The name of your team.', pattern: '^[a-z]+$' } }
  const withUserScope = { ...oauth2, authorization_parameters: { prompt: 'consent', user_scope: 'notes:read,notes:search' } }
  const withTeam = { ...oauth2, authorization_parameters: { prompt: 'consent', team: '{account.team}' } }
  const onward = await openWithApps(
    [
      appFile('oak', `${url}/api`, oauth2, { identity }),
      appFile('elm', `${url}/api`, withTeam, { account_settings: team }),
      appFile('ash', `${url}/api`, [withUserScope, { type: 'bearer' }], { identity }),
    ],
    { PUBLIC_URL: 'https://onward.example' },
  )
  async function setClient(app: string): Promise<void> {
    const { clientId, clientSecret } = clientOf('post')
    await onward.setClient(app, clientId, clientSecret).expect(200)
  }
  for (const app of ['oak', 'elm']) await setClient(app)
  return {
    ...onward,
    setClient,
    /** Opens the login page and submits it, up to the redirect to the provider. */
    async startSession(
      userId: string,
      app = 'oak',
      { fields = {}, query = '', browser = openBrowser(onward) } = {},
    ): Promise<StartedSession> {
      const page = await browser.open((await loginUrlOf(onward.user(userId), app)) + query)
      const sent = await browser.submit(page, fields)
      const location = sent.headers.location ?? ''
      return { browser, page, sent, location, state: location && (new URL(location).searchParams.get('state') ?? '') }
    },
    accountsOfUser: async (userId: string) => (await accountsOf(onward)).filter(({ user_id }) => user_id === userId),
  }
}

type StartedSession = {
  readonly browser: ReturnType<typeof openBrowser>
  readonly page: Page
  readonly sent: Page
  readonly location: string
  readonly state: string
}

export type SigningIn = Awaited<ReturnType<typeof openSigningIn>>

/** Returns the callback URL with the parameters of the provider. */
export function callback(query: URLSearchParams | Record<string, string>): string {
  return `${REDIRECT_URI}?${new URLSearchParams(query)}`
}
