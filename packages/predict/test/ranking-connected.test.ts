import { readFileSync } from 'node:fs'
import { rankBuiltIn } from './support.ts'

let builtIn: Awaited<ReturnType<typeof rankBuiltIn>>

beforeAll(async () => {
  builtIn = await rankBuiltIn('packages/dev-env/apps')
})

/** Returns the name of the best function if its confidence is at least 0.5. `only` limits the prediction to functions of some apps. */
function sureOf(prompt: string, connected: readonly string[], only?: readonly string[]): string | undefined {
  const isConnected = (app: string) => connected.includes(app)
  const { fits, ranked, found } = builtIn.ask(prompt, 1, isConnected, only && ((app) => only.includes(app)))
  return fits && (ranked[0]?.confidence ?? 0) >= 0.5 ? found[0]?.name : undefined
}

const ADD = 'add Ada with email ada@example.com to my contacts'
const RELEASE = 'tell the team that the release is out'
const TO_MY_TEAM = 'notify my team that we ship at nine'
const RELEASE_ON_SLACK = 'tell the team on Slack that the release is out'

describe('the ranker of the built-in apps and the address book', () => {
  it.each([
    ['README.md', ADD],
    ['README.md', RELEASE],
    ['packages/client/README.md', ADD],
    ['packages/client-python/README.md', ADD],
    ['packages/predict/README.md', RELEASE_ON_SLACK],
    ['services/functions/README.md', ADD],
  ])('is tested below with the prompts of %s', (file, prompt) => {
    expect(readFileSync(file, 'utf8').replace(/\s+/g, ' ')).toContain(prompt)
  })

  it.each<[string, readonly string[], string]>([
    [ADD, ['addressbook'], 'addressbook-create-contact'],
    [ADD, ['addressbook', 'github', 'slack'], 'addressbook-create-contact'],
    [RELEASE, ['slack'], 'slack-post-message'],
    [RELEASE, ['addressbook', 'github', 'slack'], 'slack-post-message'],
    [RELEASE_ON_SLACK, ['addressbook', 'slack'], 'slack-post-message'],
    [TO_MY_TEAM, ['telegram'], 'telegram-send-message'],
    [TO_MY_TEAM, ['discord'], 'discord-send-message'],
    // In Microsoft Teams, a team has channels and chats.
    ['notify my team in the chat that we ship at nine', ['microsoft-teams'], 'microsoft-teams-send-chat-message'],
    ['let everyone on Slack know the release is out', ['slack'], 'slack-post-message'],
    ['Tell our Telegram group that the shop opens at nine', ['telegram'], 'telegram-send-message'],
    ['list my contacts', ['addressbook'], 'addressbook-list-contacts'],
    // The encoder has not learnt what the address book cannot do.
    ['add a contact to my address book', ['addressbook', 'hubspot', 'gmail'], 'addressbook-create-contact'],
    ['add Grace with email grace@example.com to my address book', ['addressbook', 'slack', 'gmail'], 'addressbook-create-contact'],
    ['list my customers', ['quickbooks'], 'quickbooks-list-customers'],
    ['open a ticket', ['zendesk'], 'zendesk-create-ticket'],
    ['create an issue about the broken printer', ['github', 'addressbook'], 'github-create-issue'],
  ])('is sure that "%s" means, with %j connected, %s, also among connected apps only', (prompt, connected, name) => {
    expect([sureOf(prompt, connected), sureOf(prompt, connected, connected)]).toEqual([name, name])
  })

  it.each<[string, readonly string[]]>([
    [RELEASE, ['addressbook']],
    ['delete contact 5', ['addressbook']],
    ['delete contact 5', ['addressbook', 'github', 'slack']],
    ['delete Ada from my contacts', ['addressbook', 'slack']],
    ['create an invoice for ACME', ['addressbook', 'slack']],
    ['Delete the empty Box folder', ['dropbox']],
    ['Remind me in Asana to call the printer', ['paypal']],
    ['what is love', ['addressbook', 'slack']],
  ])('is not sure of "%s" among the functions of %j, which do not fit', (prompt, connected) => {
    expect(sureOf(prompt, connected, connected)).toBeUndefined()
  })

  it.each<[string, string, string]>([
    [ADD, 'addressbook', 'addressbook-create-contact'],
    [RELEASE, 'slack', 'slack-post-message'],
    ['create a contact', 'hubspot', 'hubspot-create-contact'],
  ])('is sure of "%s" among the functions of %s, which is not connected', (prompt, app, name) => {
    expect(sureOf(prompt, [], [app])).toBe(name)
  })

  it.each(['tell me that joke again', 'tell us how many groups there are', 'let me know that'])(
    'does not send a message for "%s"',
    (prompt) => {
      const { fits, found } = builtIn.ask(prompt, 1)
      expect(fits && /send|post|reply/i.test(found[0]?.title ?? '')).toBe(false)
    },
  )
})
