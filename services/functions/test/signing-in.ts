import { type AuthorizationServer, clientOf, REDIRECT_URI } from './authorization-server.ts'
import { accountsOf, loginUrlOf, openBrowser, type Page } from './connecting.ts'
import { appFile, openWithApps } from './oauth-support.ts'

/**
 * The service with apps that users sign in at, at a real authorization server: `oak`; `elm`, which needs a setting first; `ash`, which
 * takes a token too and has no OAuth client yet.
 */
export async function openSigningIn(provider: AuthorizationServer) {
  const { url } = provider
  const oauth2 = {
    ...{ type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token`, revocation_url: `${url}/token/revocation` },
    ...{ issuer: url, scopes: ['openid', 'offline_access'], authorization_parameters: { prompt: 'consent' } },
  }
  const identity = { function: 'get-me', name: '/name', id: '/id' }
  const team = { team: { title: 'Team', description: 'The name of your team.', pattern: '^[a-z]+$' } }
  const withTeam = { ...oauth2, authorization_parameters: { prompt: 'consent', team: '{account.team}' } }
  const onward = await openWithApps(
    [
      appFile('oak', `${url}/api`, oauth2, { identity }),
      appFile('elm', `${url}/api`, withTeam, { account_settings: team }),
      appFile('ash', `${url}/api`, [oauth2, { type: 'bearer' }], { identity }),
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
    /** Up to the provider and no further. */
    async begin(userId: string, app = 'oak', { fields = {}, query = '', browser = openBrowser(onward) } = {}): Promise<Begun> {
      const page = await browser.open((await loginUrlOf(onward.user(userId), app)) + query)
      const sent = await browser.submit(page, fields)
      const location = sent.headers.location ?? ''
      return { browser, page, sent, location, state: location && (new URL(location).searchParams.get('state') ?? '') }
    },
    accountsOfUser: async (userId: string) => (await accountsOf(onward)).filter(({ user_id }) => user_id === userId),
  }
}

type Begun = {
  readonly browser: ReturnType<typeof openBrowser>
  readonly page: Page
  readonly sent: Page
  readonly location: string
  readonly state: string
}

export type SigningIn = Awaited<ReturnType<typeof openSigningIn>>

/** Where the provider sends the browser back to, with what it says. */
export function callback(query: URLSearchParams | Record<string, string>): string {
  return `${REDIRECT_URI}?${new URLSearchParams(query)}`
}
