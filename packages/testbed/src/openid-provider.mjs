// A real OpenID provider. Prints its URL. The first argument holds settings as JSON: `redirectUri`, and `claimsInToken` (whether the ID token
// contains the e-mail address). A sign-in shows a page on which one chooses the account. `PUT /accounts/<subject>` sets the claims of an
// account. `PUT /faults` sets what goes wrong: `signature` (ID tokens have a wrong signature) and `status` (the status of each answer).
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Provider } from 'oidc-provider'

const { redirectUri, claimsInToken = false } = JSON.parse(process.argv[2] ?? '{}')
/** The claims of each account, by subject. */
const accounts = new Map()
let faults = {}

const server = createServer((request, response) => handle(request, response).catch((err) => send(response, 500, { error: String(err) })))
// On a busy machine a client may reuse a connection just as Node closes it, which it does after 5 s by default.
server.keepAliveTimeout = 60_000
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}`

const provider = new Provider(url, {
  clients: [
    {
      client_id: 'onward',
      client_secret: 'secret-of-onward-0123456789',
      token_endpoint_auth_method: 'client_secret_post',
      redirect_uris: [redirectUri],
    },
  ],
  features: { devInteractions: { enabled: false } },
  claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov'] },
  conformIdTokenClaims: !claimsInToken,
  cookies: { keys: ['a key of the tests'] },
  pkce: { required: () => true },
  ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Session: 600, Interaction: 600, AuthorizationCode: 60 },
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...accounts.get(accountId) }) }),
  interactions: { url: (_ctx, interaction) => `/sign-in/${interaction.uid}` },
  async loadExistingGrant(ctx) {
    const grant = new provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId })
    grant.addOIDCScope('openid email')
    await grant.save()
    return grant
  },
})
const authorize = provider.callback()

async function handle(request, response) {
  const { pathname, searchParams } = new URL(request.url, url)
  if (request.method === 'PUT') return await configure(request, response, pathname)
  if (faults.status !== undefined) return send(response, faults.status, {})
  if (pathname.startsWith('/sign-in/')) {
    const accountId = searchParams.get('account')
    if (accountId === null) return choose(response, pathname)
    const result = accountId === '' ? { error: 'access_denied', error_description: 'no' } : { login: { accountId }, consent: {} }
    return await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  if (pathname === '/token' && faults.signature) breakSignature(response)
  await authorize(request, response)
}

async function configure(request, response, pathname) {
  const body = JSON.parse(await text(request))
  if (pathname === '/faults') faults = body
  else accounts.set(decodeURIComponent(pathname.replace('/accounts/', '')), body)
  send(response, 200, {})
}

function choose(response, pathname) {
  const links = [...accounts.keys()].map((each) => `<a href="${pathname}?account=${encodeURIComponent(each)}">${each}</a>`)
  const page = `<!doctype html><title>Choose an account</title>${links.join(' ')} <a href="${pathname}?account=">Cancel</a>`
  response.writeHead(200, { 'content-type': 'text/html' }).end(page)
}

/** Changes a character of the signature of the ID token in a response. */
function breakSignature(response) {
  const end = response.end.bind(response)
  response.end = (body, ...rest) =>
    end(
      String(body).replace(/("id_token":"[^"]+)([^"]{2})"/, (_, token, last) => `${token}${last === 'AA' ? 'BB' : 'AA'}"`),
      ...rest,
    )
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

process.stdout.write(`${url}\n`)
