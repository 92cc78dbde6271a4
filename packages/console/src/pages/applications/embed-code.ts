/** Returns the code of an endpoint that makes links for the signed-in user. EMBED.md of insights has the same code. */
export function serverCode(url: string, appKey: string): string {
  return `const ONWARD_URL = ${quoted(url)}
const APP_KEY = ${quoted(appKey)}

app.post('/onward-link', requireSignIn, async (req, res) => {
  const response = await fetch(\`\${ONWARD_URL}/partners/api/insights/embed-sessions?app_key=\${APP_KEY}\`, {
    method: 'POST',
    headers: { 'api-key': process.env.ONWARD_API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: req.user.id, views: ['usage', 'accounts'] }),
  })
  const { url } = await response.json()
  res.set('Cache-Control', 'no-store').json({ url })
})
`
}

/** The frame, and the script that opens a link in it. EMBED.md of insights has the same code. */
export const BROWSER_CODE = `<iframe id="onward" title="Usage" style="width: 100%; border: 0"></iframe>
<script type="module">
  const frame = document.getElementById('onward')
  let origin

  async function open() {
    const { url: link } = await (await fetch('/onward-link', { method: 'POST' })).json()
    const url = new URL(link)
    url.searchParams.set('gutters', '0')
    origin = url.origin
    frame.src = url
  }

  addEventListener('message', ({ data, origin: from, source }) => {
    if (from !== origin || source !== frame.contentWindow || data.source !== 'onward-embed' || data.version !== 1) return
    if (data.type === 'height') frame.style.height = \`\${data.height}px\`
    if (data.type === 'expired') void open()
  })
  await open()
</script>
`

/** App-Keys and origins have no characters that a string of JavaScript escapes. */
function quoted(text: string): string {
  return `'${text}'`
}
