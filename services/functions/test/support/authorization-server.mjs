// A real authorization server, and an API that introspects each access token. Prints its URL. The first argument holds settings as JSON:
// `firstTokenSeconds` (lifetime of the access token of a code), `tokenDelayMs` (delay of each token response),
// `redirectUri` (the allowed redirect URI), `asks` (whether it shows a page to allow or deny access).
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

const {
  firstTokenSeconds = 3_600,
  tokenDelayMs = 0,
  redirectUri = 'https://onward.example/connect/callback',
  asks = false,
} = JSON.parse(process.argv[2] ?? '{}')
const introspections = new Map()
const requests = { tokenRequests: 0, errors: [], calls: 0 }

const server = createServer((request, response) => handle(request, response).catch((err) => send(response, 500, { error: String(err) })))
// On a busy machine a client may reuse a connection just as Node closes it, which it does after 5 s by default.
server.keepAliveTimeout = 60_000
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}`

const client = (client_id, method) => ({
  client_id,
  client_secret: `secret-of-${client_id}-0123456789`,
  token_endpoint_auth_method: method,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
})

const provider = new Provider(url, {
  clients: [client('post-client', 'client_secret_post'), client('basic-client', 'client_secret_basic')],
  features: { devInteractions: { enabled: false }, introspection: { enabled: true }, revocation: { enabled: true } },
  cookies: { keys: ['a key of the tests'] },
  jwks: undefined,
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: async () => true,
  scopes: ['openid', 'offline_access', 'notes'],
  ttl: {
    AccessToken: (ctx) => (ctx.oidc.params?.grant_type === 'authorization_code' ? firstTokenSeconds : 3_600),
    RefreshToken: 86_400,
    Grant: 86_400,
    Session: 86_400,
    Interaction: 600,
    AuthorizationCode: 60,
  },
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  interactions: { url: (_ctx, interaction) => `/sign-in/${interaction.uid}` },
  async loadExistingGrant(ctx) {
    const grant = new provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId })
    grant.addOIDCScope('openid offline_access notes')
    await grant.save()
    return grant
  },
})
provider.on('grant.error', (_ctx, err) => requests.errors.push(err.error))
const authorize = provider.callback()

async function handle(request, response) {
  const { pathname } = new URL(request.url, url)
  if (pathname === '/requests') return send(response, 200, requests)
  if (pathname === '/api/me') return await answerMe(request, response)
  if (asks && /^\/sign-in\/[^/]+$/.test(pathname)) return ask(response, pathname)
  if (pathname.startsWith('/sign-in/')) {
    const result = request.url.includes('deny')
      ? { error: 'access_denied', error_description: 'no' }
      : { login: { accountId: 'ada' }, consent: {} }
    return await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  if (pathname === '/token') {
    requests.tokenRequests++
    await new Promise((resolve) => setTimeout(resolve, tokenDelayMs))
  }
  await authorize(request, response)
}

function ask(response, pathname) {
  const page = `<!doctype html><title>Sign in</title><a href="${pathname}/allow">Allow</a> <a href="${pathname}/deny">Deny</a>`
  response.writeHead(200, { 'content-type': 'text/html' }).end(page)
}

async function answerMe(request, response) {
  requests.calls++
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
  // Calls with the same token at the same time share one introspection.
  if (!introspections.has(token))
    introspections.set(
      token,
      introspect(token).finally(() => introspections.delete(token)),
    )
  const { active, sub } = await introspections.get(token)
  if (active) return send(response, 200, { id: sub, name: 'Ada' })
  send(response, 401, { error: 'invalid_token', error_description: 'the access token is not valid' })
}

async function introspect(token) {
  const { client_id, client_secret } = client('post-client')
  const body = new URLSearchParams({ token, client_id, client_secret })
  return await (await fetch(`${url}/token/introspection`, { method: 'POST', body })).json()
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

process.stdout.write(`${url}\n`)
