import { existsSync } from 'node:fs'
import { openScriptedServer, type ScriptedServer } from '@onward/testbed'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expectAccessible } from '../support/accessible.ts'
import { authorizeUrl, newProof, register, sendForm } from '../support/sign-in-support.ts'
import { type Functions, openFunctions, type User } from '../support/support.ts'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const hasBrowser = existsSync(executablePath)
if (!hasBrowser) process.stderr.write(`No Chromium at ${executablePath}; set CHROMIUM_PATH to test the sign-in in a browser.\n`)
const describeWithBrowser = hasBrowser ? describe : describe.skip

let onward: Functions
let host: ScriptedServer
let browser: Browser
let context: BrowserContext
let users = 0

/** Makes a user with two connected apps. */
async function newUser(): Promise<User> {
  const user = onward.user(`user-${++users}@example.com`)
  await user.connect('desk')
  await user.connect('notes')
  return user
}

const linkOf = async (user: User) => (await user.post('/mcp/sign-in/link').expect(200)).body.url as string

/** Registers a client whose redirect URI is on a port of this computer. */
async function newClient() {
  const redirect_uri = `${host.url}/callback`
  const { client_id } = await register(onward.url, { client_name: 'Claude Code', redirect_uris: [redirect_uri] })
  const { verifier, challenge } = newProof()
  const exchange = async (page: Page) => {
    const code = new URL(page.url()).searchParams.get('code') ?? ''
    const fields = { grant_type: 'authorization_code', client_id, code, code_verifier: verifier, redirect_uri }
    return (await sendForm(`${onward.url}/oauth/token`, fields)).body
  }
  return { url: authorizeUrl(onward, client_id, challenge, { redirect_uri }), exchange }
}

describeWithBrowser('the sign-in of MCP clients in Chromium', () => {
  beforeAll(async () => {
    onward = await openFunctions()
    host = await openScriptedServer()
    host.respond((_received, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><html lang="en"><title>Done</title>')
    })
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  }, 60_000)
  beforeEach(async () => {
    context = await browser.newContext()
  })
  afterEach(async () => await context.close())
  afterAll(async () => {
    await browser?.close()
    await host?.close()
  })

  it('takes a pasted link, shows what is asked, and gives what is left ticked', async () => {
    const user = await newUser()
    const { url, exchange } = await newClient()
    const page = await context.newPage()
    await page.goto(url)
    await expectAccessible(page)
    await page.getByLabel('Sign-in link').fill('nonsense')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('not valid here').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Sign-in link').fill(await linkOf(user))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Give Claude Code access to app-1?' }).waitFor()
    expect(await page.getByText('an application on this computer').count()).toBe(1)
    expect(await page.getByLabel('Notes', { exact: true }).isVisible()).toBe(false)
    await expectAccessible(page)

    await page.getByLabel('Only these:').check()
    await page.getByText('Functions of Desk').click()
    await expectAccessible(page)
    await page.getByLabel('Notes', { exact: true }).uncheck()
    await page.getByLabel('How long').selectOption('7')
    await page.getByLabel('Only read').check()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${host.url}/callback?**`)
    expect((await exchange(page)).scope).toBe('functions:read offline_access')
    const { body } = await user.post('/mcp/tokens/list').expect(200)
    // Clock needs no account, and stays ticked.
    expect(body.tokens).toMatchObject([{ apps: ['clock', 'desk'], functions: null, read_only: true }])
  })

  it('works on a small screen, in the dark, without scripts, after the link was opened', async () => {
    await context.close()
    context = await browser.newContext({ javaScriptEnabled: false, colorScheme: 'dark', viewport: { width: 320, height: 640 } })
    const user = await newUser()
    const page = await context.newPage()
    await page.goto(await linkOf(user))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    const { url, exchange } = await newClient()
    await page.goto(url)
    expect(await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')).toBe(false)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${host.url}/callback?**`)
    expect((await exchange(page)).scope).toBe('functions:read functions:write offline_access')
  })

  it('shows its other pages accessibly, and lets the user end the access', async () => {
    const user = await newUser()
    const page = await context.newPage()
    await page.goto(await linkOf(user))
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expectAccessible(page)
    const { url, exchange } = await newClient()
    await page.goto(`${url}&response_type=token`)
    await page.getByRole('heading', { name: 'This application sent a wrong request' }).waitFor()
    await expectAccessible(page)
    await page.goto(url)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${host.url}/callback?**`)
    await exchange(page)

    const { body } = await user.post('/connect/session', { manage: true }).expect(200)
    await page.goto(body.url)
    await page.getByRole('link', { name: 'Applications with access' }).click()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Change or end' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'End the access' }).click()
    await page.getByText('No application has access.').waitFor()
    await expectAccessible(page)
  })

  it('sends a user who does not allow it back to the program', async () => {
    const page = await context.newPage()
    await page.goto(await linkOf(await newUser()))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.goto((await newClient()).url)
    await page.getByRole('button', { name: 'Do not allow' }).click()
    await page.waitForURL(`${host.url}/callback?error=access_denied**`)
  })
})
