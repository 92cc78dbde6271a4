import { furtherRequest } from '../src/index.ts'
import { typedWords } from '../src/ranking/typed-words.ts'
import { isOneEdit } from '../src/words/spelling.ts'
import { rankBuiltIn } from './support.ts'

let builtIn: Awaited<ReturnType<typeof rankBuiltIn>>
beforeAll(async () => {
  builtIn = await rankBuiltIn()
})

const first = (prompt: string, connected: string) => builtIn.ask(prompt, 1, (app) => app === connected).found[0]?.name

describe('prompts as people type them', () => {
  it.each([
    ['ping #general that lunch is here', 'slack', 'slack-post-message'],
    ['who is on call tonight?', 'pagerduty', 'pagerduty-list-oncalls'],
    ['give cus_19ab their money back', 'stripe', 'stripe-create-refund'],
    ['schick Anna eine mail, dass der Bericht fertig ist', 'gmail', 'gmail-send-message'],
    ['crea una tarea para llamar al cliente mañana', 'asana', 'asana-create-task'],
    ['serach for mesages about the outage', 'slack', 'slack-search-messages'],
  ])('ranks first for "%s", with %s connected, %s', (prompt, connected, name) => {
    expect(first(prompt, connected)).toBe(name)
  })

  it.each([
    ['create a to-do in Basecamp', 'no_such_app', 'Basecamp'],
    ['what is love', 'out_of_scope', undefined],
  ])('refuses "%s" because of %s', (prompt, reason, product) => {
    expect(builtIn.ask(prompt)).toMatchObject({ fits: false, refused: { reason, product } })
  })
})

it.each([
  ['create a card for the launch and then tell the team in #general', 'tell the team in #general'],
  ['add the contact. Send her an invoice for May', 'Send her an invoice for May'],
  ['post in #general that we ship and then we rest', undefined],
  ['list my open tasks', undefined],
])('what "%s" asks for after its first request is %s', (prompt, further) => {
  expect(furtherRequest(prompt)).toBe(further)
})

it.each([
  ['mesage', 'message', true],
  ['messsage', 'message', true],
  ['messgae', 'message', true],
  ['massage', 'message', true],
  ['message', 'message', false],
  ['msage', 'message', false],
])('one edit makes "%s" into "%s": %s', (one, other, expected) => {
  expect(isOneEdit(one, other)).toBe(expected)
})

it.each(['a@', 'a.', '1', 'a1', '#a-', '€1', '+1 ', 'that ', 'and '])(
  'reads a prompt of 2,000 characters of "%s" as a short list of words',
  (part) => {
    const from = process.cpuUsage()
    expect(typedWords(part.repeat(2_000 / part.length)).length).toBeLessThan(20)
    // A pattern that backtracks takes seconds.
    expect(process.cpuUsage(from).user / 1_000).toBeLessThan(1_000)
  },
)
