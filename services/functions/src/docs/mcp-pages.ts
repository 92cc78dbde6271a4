import { html } from '@onward/runtime'
import { block, docsPage } from './page.ts'

/** A server with the page to which users come. A test runs it. */
const OWN_PAGE = `import { createHmac } from 'node:crypto'
import express from 'express'

const { ONWARD_BASE_URL, ONWARD_APP_KEY, ONWARD_APP_SECRET, PORT = '3000' } = process.env
const app = express()
app.use(express.urlencoded({ extended: false }))

// In place of your own sign-in, which must say who the user is. This one believes everybody, so it is only good to try the page.
app.get('/agents', (req, res) => {
  const action = '/agents?request=' + encodeURIComponent(String(req.query.request))
  res.send('<form method="post" action="' + action + '"><input name="user" aria-label="User"><button>Sign in</button></form>')
})

app.post('/agents', async (req, res) => {
  const userId = req.body.user
  const hash = createHmac('sha256', ONWARD_APP_SECRET).update(userId).digest('hex')
  const response = await fetch(ONWARD_BASE_URL + '/mcp/sign-in/approve', {
    method: 'POST',
    headers: { 'App-Key': ONWARD_APP_KEY, 'User-ID': userId, Hash: hash, 'Content-Type': 'application/json' },
    body: JSON.stringify({ request: req.query.request }),
  })
  if (!response.ok) return res.status(400).send('This link has expired. Start again in the program.')
  res.redirect(303, (await response.json()).url)
})

app.listen(Number(PORT), () => console.log('http://localhost:' + PORT + '/agents'))`

/** Prints a sign-in link. A test runs it. */
const LINK = `import { createHmac } from 'node:crypto'

const { ONWARD_BASE_URL, ONWARD_APP_KEY, ONWARD_APP_SECRET } = process.env
const userId = 'joe@example.com'
const hash = createHmac('sha256', ONWARD_APP_SECRET).update(userId).digest('hex')
const response = await fetch(ONWARD_BASE_URL + '/mcp/sign-in/link', {
  method: 'POST',
  headers: { 'App-Key': ONWARD_APP_KEY, 'User-ID': userId, Hash: hash, 'Content-Type': 'application/json' },
  body: JSON.stringify({ expires_in_minutes: 10 }),
})
console.log((await response.json()).url)`

const OPENID = `onward application mcp-sign-in demo
onward application mcp-sign-in demo --openid-issuer https://login.acme.example --openid-client-id onward \\
  --openid-claim sub --openid-secret <<< client_secret=0123456789`

const OWN_PAGE_COMMANDS = `onward application mcp-sign-in demo --hand-off-url http://localhost:3000/agents
npm install express
node --env-file=.onward/dev.env agents.mjs`

/** Returns the pages about MCP clients, by their paths after `/docs`. `root` is the path before `/docs`; `root` and `publicUrl` can be empty. */
export function mcpPages(root: string, publicUrl: string): Readonly<Record<string, string>> {
  const link = (path: string, text: string) => html`<a href="${root}/docs/mcp${path}">${text}</a>`
  return {
    '/mcp': docsPage(
      root,
      'Connect MCP clients',
      html`<p>An MCP client, such as Claude Code, Cursor or ChatGPT, calls functions on behalf of one of your users. The user adds the MCP URL of your
application to the program, signs in in a browser, and decides what the program may do:</p>
${block('text', `${publicUrl || 'https://onward.example'}/mcp/<app_key>`)}
<h2>Who the user is</h2>
<p>Onward has no accounts for your users. One of three ways says who they are:</p>
<ul>
<li>${link('/own-page', 'Your own page')}: users come to a page of your application, where they sign in as always.</li>
<li>${link('/openid', 'Your OpenID provider')}: users sign in at the provider that your application uses.</li>
<li>${link('/link', 'A link')}: your server, or the command line, makes a link that signs in one browser. It always works.</li>
</ul>
<h2>Programs</h2>
<ul>
<li>Claude Code: <code>claude mcp add --transport http onward &lt;MCP URL&gt;</code>, then <code>/mcp</code></li>
<li>claude.ai and Claude Desktop: Settings, Connectors, Add custom connector</li>
<li>ChatGPT: Settings, Apps &amp; Connectors, with developer mode; authentication: OAuth</li>
<li>VS Code: the command "MCP: Add Server", HTTP</li>
<li>Cursor: <code>{"mcpServers": {"onward": {"url": "&lt;MCP URL&gt;"}}}</code> in <code>~/.cursor/mcp.json</code></li>
<li>Codex: <code>codex mcp add onward --url &lt;MCP URL&gt;</code>, then <code>codex mcp login onward</code></li>
</ul>
<p>For a program that asks for a client id, an owner makes one: <code>onward application mcp-client add</code>. A program without a browser
uses a token: <code>POST /mcp/tokens</code> in the <a href="${root}/docs">API reference</a>.</p>`,
    ),
    '/mcp/own-page': docsPage(
      root,
      'Sign users in on your own page',
      html`<p>The browser of a user who adds the MCP URL comes to your page, with the parameter <code>request</code>. Let the user sign in. Then your server
approves the request for the user, and redirects the browser to the <code>url</code> of the response. There the user decides what the program
may do.</p>
<p>This is <code>agents.mjs</code>, a whole server:</p>
${block('js', OWN_PAGE)}
<p>Set the page, once, and start the server. The file with the keys is written by <code>npm start</code>.</p>
${block('sh', OWN_PAGE_COMMANDS)}
<p>A request is sealed, belongs to one application, and lasts for half an hour. The <code>url</code> works once, within five minutes, and only in
the browser that began. In production, the page needs https.</p>
<p>${link('', 'All about MCP clients')}</p>`,
    ),
    '/mcp/openid': docsPage(
      root,
      'Sign users in with your OpenID provider',
      html`<p>Use this if the User-ID is a claim of your provider. The first command shows the <code>redirect_url</code>: register it at the provider, which then
gives you a client id and a secret. The second command stores them.</p>
${block('bash', OPENID)}
<p><code>sub</code> is the default claim. An <code>email</code> counts only if the provider says that it is verified. Users are then sent to the
provider when they add the MCP URL, and come back to decide what the program may do.</p>
<p>${link('', 'All about MCP clients')}</p>`,
    ),
    '/mcp/link': docsPage(
      root,
      'Sign users in with a link',
      html`<p>Your server makes a link for a user, for example for a page of your application on which the user is signed in. It can be opened for ten minutes,
and then signs one browser in for half an hour. It is a credential: show it only to its user.</p>
${block('js', LINK)}
<p>On the command line:</p>
${block('sh', 'onward mcp sign-in --user joe@example.com')}
<p>After opening the link, the user adds the MCP URL to the program.</p>
<p>${link('', 'All about MCP clients')}</p>`,
    ),
  }
}
