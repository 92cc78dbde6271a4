import { type OpenIdClaims, type OpenIdProvider, openOpenIdProvider } from '@onward/testbed'
import request from 'supertest'
import { type Insights, openInsights, type Workspace } from './insights.ts'

export const PUBLIC_URL = 'https://onward.example'
export const CALLBACK = `${PUBLIC_URL}/console/oidc/callback`
export const API = '/console/api/insights'
export const HEADER = { 'x-onward-console': '1' }

type Headers = Record<string, string>
type TestResponse = request.Response

export const setCookies = ({ headers }: TestResponse) => (headers['set-cookie'] ?? []) as unknown as string[]

/** The cookies that a response sets, as a browser sends them. */
export const cookiesOf = (response: TestResponse) =>
  setCookies(response)
    .map((each) => each.split(';')[0] ?? '')
    .filter((each) => !each.endsWith('='))
    .join('; ')

/** The claims of a provider that has verified an e-mail address. */
export const verified = (email: string): OpenIdClaims => ({ email, email_verified: true })

export function expectPage(response: TestResponse, status: number, text: string): void {
  expect([response.status, response.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
  expect(response.text).toContain(text)
  expect(response.text).toContain(`href="${PUBLIC_URL}/console/sign-in"`)
  expect(response.headers['content-security-policy']).toContain(`default-src 'none'`)
  expect(setCookies(response).filter((each) => /onward-(session|access)/.test(each))).toEqual([])
}

/** The service with an OpenID provider, a workspace for each test, and what tests do as people who sign in. */
export function useSingleSignOn() {
  let provider: OpenIdProvider
  let insights: Insights
  let workspace: Workspace
  let people = 0
  beforeAll(async () => {
    provider = await openOpenIdProvider(CALLBACK)
    insights = await openInsights({ env: { PUBLIC_URL, ...provider.env, OIDC_LABEL: 'Sign in with Acme' } })
  })
  afterAll(async () => {
    await insights.close()
    await provider.close()
  })
  beforeEach(async () => {
    workspace = await insights.workspace()
  })

  const start = (returnTo = '/w/acme/calls', headers: Headers = {}) =>
    request(insights.url).get('/console/oidc/start').query({ return_to: returnTo }).set(headers)
  const finish = (callback: URL, cookie: string) =>
    request(insights.url)
      .get(callback.pathname + callback.search)
      .set({ cookie })

  /** Signs in at the provider with an account. Returns the callback, and the cookie of the browser. */
  async function toCallback(subject: string, change: (url: URL) => void = () => {}): Promise<{ callback: URL; cookie: string }> {
    const started = await start().expect(303)
    const url = new URL(started.headers.location ?? '')
    change(url)
    return { callback: await provider.signIn(url.href, subject), cookie: cookiesOf(started) }
  }
  async function signIn(subject: string): Promise<TestResponse> {
    const { callback, cookie } = await toCallback(subject)
    return await finish(callback, cookie)
  }
  async function addMember(email: string, role = 'viewer'): Promise<string> {
    const { body } = await insights.admin.post(`/admin/workspaces/${workspace.id}/members`, { email, role }).expect(200)
    return body.person_id
  }

  return {
    get provider() {
      return provider
    },
    get insights() {
      return insights
    },
    get workspace() {
      return workspace
    },
    /** Makes another workspace, to which people are added from now on. */
    async newWorkspace(): Promise<void> {
      workspace = await insights.workspace()
    },
    start,
    finish,
    toCallback,
    signIn,
    async signedIn(subject: string): Promise<Headers> {
      const response = await signIn(subject)
      expect([response.status, response.text]).toEqual([303, ''])
      return { ...HEADER, cookie: cookiesOf(response) }
    },
    send: (method: 'get' | 'post' | 'delete', path: string, headers: Headers) =>
      request(insights.url)[method](`${API}${path}`).set(headers),
    addMember,
    removeMember: (id: string) => insights.admin.delete(`/admin/workspaces/${workspace.id}/members/${id}`).expect(200),
    /** A member of the workspace with an account of the provider. */
    async member(role?: string): Promise<{ email: string; subject: string; id: string }> {
      const subject = `person-${++people}`
      const email = `${subject}@example.com`
      const id = await addMember(email, role)
      await provider.setAccount(subject, verified(email))
      return { email, subject, id }
    },
    /** The entries of the audit log about sign-ins with an e-mail address. */
    async audited(email: string) {
      const { body } = await insights.admin.get('/admin/audit?action=session.begin').expect(200)
      return body.entries.filter((entry: { target: { email?: string } }) => entry.target.email === email)
    },
  }
}
