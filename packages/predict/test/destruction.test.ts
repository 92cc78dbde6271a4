import { loadCatalog } from '@onward/catalog'
import { buildRanker, type Knowledge, type Rankable, type Ranker, readKnowledge } from '../src/index.ts'
import { openMayBeFirst } from '../src/ranking/destruction.ts'

const app = { name: 'crm', title: 'CRM' }
const fn = (title: string, description: string, more: Partial<Rankable> = {}): Rankable => ({
  name: `crm-${title.toLowerCase().replaceAll(' ', '-')}`,
  title,
  description,
  examples: [],
  app,
  parameters: { type: 'object', properties: {}, required: [] },
  type: 'ACTION',
  destructive: false,
  ...more,
})
const FUNCTIONS = [
  fn('Delete customer', 'Deletes a customer with all orders and invoices.', { destructive: true }),
  fn('Get customer', 'Gets a customer.', { type: 'QUERY' }),
  fn('Create invoice', 'Creates an invoice.'),
]

let knowledge: Knowledge
let ranker: Ranker
beforeAll(async () => {
  knowledge = await readKnowledge('packages/predict/weights')
  ranker = await buildRanker(FUNCTIONS, knowledge)
})

const rank = (prompt: string, functions = FUNCTIONS, by = ranker) => {
  const { fits, ranked } = by.rank(prompt, { connected: () => false, count: 5 })
  return { fits, names: ranked.map(({ number }) => functions[number]?.name), confidences: ranked.map(({ confidence }) => confidence) }
}

describe('a destructive function', () => {
  it.each(['the customer with all orders and invoices', 'customer orders and all invoices please'])(
    'is not the first one for "%s"',
    async (prompt) => {
      const harmless = FUNCTIONS.map((each) => ({ ...each, destructive: false }))
      expect(rank(prompt, harmless, await buildRanker(harmless, knowledge)).names[0]).toBe('crm-delete-customer')
      const { names, confidences } = rank(prompt)
      expect(names[0]).not.toBe('crm-delete-customer')
      expect(names).toContain('crm-delete-customer')
      expect(confidences).toEqual([...confidences].sort((a, b) => b - a))
    },
  )

  it.each(['delete the customer with all orders', 'Removing the customer and all orders', 'throw away the customer with all orders'])(
    'is the first one for "%s"',
    (prompt) => {
      expect(rank(prompt).names[0]).toBe('crm-delete-customer')
    },
  )

  it('is not returned at all when there is no other function and the prompt does not ask for it', async () => {
    const only = FUNCTIONS.slice(0, 1)
    const alone = await buildRanker(only, knowledge)
    expect(rank('the customer with all orders', only, alone)).toEqual({ fits: false, names: [], confidences: [] })
    expect(rank('delete the customer with all orders', only, alone).names).toEqual(['crm-delete-customer'])
  })
})

it.each([
  ['show the last message', false],
  ['take back what I just wrote', true],
  ['Ada is no longer a moderator', true],
  ["don't send the scheduled email", true],
  ['do not forget to send the email', false],
  ['give Bob his money back', true],
  ['call Bob back', false],
  ['which orders mention a refund?', false],
  ['list the deleted files', false],
  ['Who are the admins? Remove Bob.', true],
  ['find the duplicate lead and delete it', true],
  ['get rid of the old lead', true],
  ['can you cancel my meeting?', true],
])('"%s" asks for destruction: %s', (prompt, asked) => {
  expect(openMayBeFirst(prompt)(FUNCTIONS[0] as Rankable)).toBe(asked)
})

it('the words of its title ask for each destructive function of the built-in apps, except where it also does something else', async () => {
  const { functions } = await loadCatalog(['packages/catalog/apps'])
  const unasked = functions.filter((each) => !openMayBeFirst(each.title)(each))
  const names = unasked.map(({ name }) => name)
  expect(names).toEqual(['bigquery-run-statement', 'snowflake-run-statement', 'supabase-run-sql', 'xero-update-invoice-status'])
})
