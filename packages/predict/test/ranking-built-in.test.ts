import type { AppFunction } from '@onward/catalog'
import { readOutOfScope } from '../src/ranking/knowledge.ts'
import { rankBuiltIn, WEIGHTS } from './support.ts'

let builtIn: Awaited<ReturnType<typeof rankBuiltIn>>
let sharing: ReadonlyMap<string, number>

beforeAll(async () => {
  builtIn = await rankBuiltIn()
  const counts = new Map<string, number>()
  for (const { title } of builtIn.functions) counts.set(title, (counts.get(title) ?? 0) + 1)
  sharing = counts
})

describe('the ranker of the built-in functions ranks among the first five', () => {
  it.each<[string, (fn: AppFunction) => string | undefined]>([
    ['its description', ({ description }) => description],
    ['the titles of its app and of itself', ({ app, title }) => `${app.title} ${title}`],
    ['its title, if no other function has the same', ({ title }) => (sharing.get(title) === 1 ? title : undefined)],
  ])('each function when the prompt is %s', (_what, promptOf) => {
    const missed = builtIn.functions.filter((fn) => {
      const prompt = promptOf(fn)
      if (prompt === undefined) return false
      const { fits, found } = builtIn.ask(prompt)
      return !fits || !found.includes(fn)
    })
    expect(missed.map(({ name }) => name)).toEqual([])
  })
})

describe('the ranker of the built-in functions', () => {
  // Currently 90 % of the half that sets the cutoff, 96 % of the other half, and 2 % of the examples, which the ranker knows.
  it.each([
    ['dev', 0.88],
    ['test', 0.92],
  ] as const)('refuses of the %s half of the out-of-scope prompts a share of at least %d', async (half, least) => {
    const outOfScope = (await readOutOfScope(WEIGHTS)).filter((each) => each.half === half)
    expect(outOfScope).toHaveLength(150)
    expect(outOfScope.filter(({ prompt }) => !builtIn.ask(prompt).fits).length / outOfScope.length).toBeGreaterThanOrEqual(least)
  })

  it('refuses at most 4 % of the examples in the app files', () => {
    const prompts = builtIn.functions.flatMap(({ examples }) => examples)
    expect(prompts.length).toBeGreaterThan(800)
    expect(prompts.filter((prompt) => !builtIn.ask(prompt).fits).length / prompts.length).toBeLessThanOrEqual(0.04)
  })

  it.each([
    ['create a contact in HubSpot', 'hubspot'],
    ['add a page to notion', 'notion'],
    ['create task in Notion', 'notion'],
    ['Use Slack to list all users', 'slack'],
    ['upload report.pdf with google drive', 'google-drive'],
    ['what did we sell last month according to Stripe?', 'stripe'],
  ])('ranks first for "%s" a function of %s, the app that it names', (prompt, app) => {
    expect(builtIn.ask(prompt).found[0]?.app.name).toBe(app)
  })

  it.each([
    ['upload a file', 'dropbox', 'dropbox-upload-file'],
    ['send an email', 'outlook-mail', 'outlook-mail-send-message'],
    ['list my customers', 'quickbooks', 'quickbooks-list-customers'],
    ['create a ticket', 'freshdesk', 'freshdesk-create-ticket'],
    ['delete the message', 'slack', 'slack-delete-message'],
    ['send an email', 'dropbox', 'resend-send-email'],
    ['create a HubSpot contact', 'pipedrive', 'hubspot-create-contact'],
    ['create a Jira ticket', 'zendesk', 'jira-create-issue'],
    ['tell the team that the release is out', 'telegram', 'telegram-send-message'],
    ['let the team know that lunch is ready', 'discord', 'discord-send-message'],
  ])('ranks first for "%s", with %s connected, %s', (prompt, app, name) => {
    expect(builtIn.ask(prompt, 1, (each) => each === app).found[0]?.name).toBe(name)
  })

  it.each(['send an email to Bob on Monday', 'list the events on monday', 'move the Zoom meeting to Monday'])(
    'does not take the weekday in "%s" for the app monday',
    (prompt) => {
      expect(builtIn.ask(prompt, 1).found[0]?.app.name).not.toBe('monday')
    },
  )

  it.each([
    ['create an item in Monday', 'monday-create-item'],
    ['create an item in monday.com', 'monday-create-item'],
  ])('ranks first for "%s" the function %s', (prompt, name) => {
    expect(builtIn.ask(prompt, 1).found[0]?.name).toBe(name)
  })

  it('does not rank a passthrough function first for a prompt that names little more than its app', () => {
    for (const prompt of ['I have no notion of what to do', 'send the report to Anna with Linear', 'something in Jira']) {
      expect(builtIn.ask(prompt, 1).found[0]?.type).not.toBe('PASSTHROUGH')
    }
  })

  it('decides whether anything fits independently of the connected apps', async () => {
    const outOfScope = (await readOutOfScope(WEIGHTS)).flatMap(({ prompt, half }) => (half === 'learn' ? [] : [prompt]))
    const connected = (app: string) => ['slack', 'gmail', 'jira'].includes(app)
    const prompts = [...outOfScope, ...builtIn.functions.flatMap(({ examples }) => examples)]
    const swayed = prompts.filter((prompt) => builtIn.ask(prompt, 1, connected).fits !== builtIn.ask(prompt, 1).fits)
    expect(swayed.length).toBeLessThanOrEqual(2)
  })

  it('returns the requested number of functions, sorted by confidence', () => {
    for (const prompt of ['open a ticket', 'make an invoice for ACME of 300 euros', 'create task in Notion', 'list my deals']) {
      const { ranked } = builtIn.ask(prompt, 20)
      expect(ranked).toHaveLength(20)
      expect(new Set(ranked.map(({ number }) => number)).size).toBe(20)
      const confidences = ranked.map(({ confidence }) => confidence)
      expect(confidences).toEqual([...confidences].sort((a, b) => b - a))
      expect(builtIn.ask(prompt, 3).ranked).toEqual(ranked.slice(0, 3))
    }
  })

  it.each([
    ['another script', '予定を確認してください'],
    ['mixed scripts', 'Slack で #general に投稿 и отправить email'],
    ['half of a character', 'send \ud83d to Slack'],
    ['a right-to-left one', 'أرسل رسالة'],
    ['combining marks', 'Crée un ticket for me'],
    ['nothing but punctuation', '!?.,;{}[]"\'`'],
    ['very much', 'list all contacts and '.repeat(500)],
    ['one long word', 'a-'.repeat(5_000)],
    ['names of everything', '__proto__ constructor toString hasOwnProperty valueOf'],
  ])('ranks functions for %s', (_what, prompt) => {
    for (const { confidence } of builtIn.ask(prompt).ranked) {
      expect(confidence).toBeGreaterThanOrEqual(0)
      expect(confidence).toBeLessThanOrEqual(1)
    }
  })
})
