import { buildRanker, type Knowledge, type Rankable, readKnowledge } from '../src/index.ts'
import { WEIGHTS } from './support.ts'

let knowledge: Knowledge
beforeAll(async () => {
  knowledge = await readKnowledge(WEIGHTS)
})

function fn(app: string, title: string, description: string): Rankable {
  const name = `${app}-${title.toLowerCase().replaceAll(' ', '-')}`
  return {
    name,
    title,
    description,
    app: { name: app, title: app },
    parameters: { type: 'object', properties: {}, required: [] },
    examples: [],
  }
}

const garden = [
  fn('gardeno', 'Water flowers', 'Waters the flowers of a garden.'),
  fn('plantina', 'Water flowers', 'Waters the flowers of a garden.'),
  fn('plantina', 'Mow lawn', 'Mows the lawn of a garden.'),
]

async function best(functions: readonly Rankable[], prompt: string, connected: readonly string[] = []) {
  const ranker = await buildRanker(functions, knowledge)
  const { ranked } = ranker.rank(prompt, { connected: (app) => connected.includes(app), count: 1 })
  return functions[ranked[0]?.number ?? -1]?.name
}

describe('the ranker', () => {
  it.each([
    ['water the flowers', ['plantina'], 'plantina-water-flowers'],
    ['water the flowers', ['gardeno'], 'gardeno-water-flowers'],
    ['water the flowers with gardeno', ['plantina'], 'gardeno-water-flowers'],
    ['mow the lawn', ['gardeno'], 'plantina-mow-lawn'],
  ])('ranks first for "%s", with %j connected, %s', async (prompt, connected, expected) => {
    expect(await best(garden, prompt, connected)).toBe(expected)
  })

  it('finds the function of a connected app among many similar functions', async () => {
    const many = Array.from({ length: 60 }, (_, i) => fn(`crm${i}`, 'Create contact', 'Adds a contact.'))
    expect(await best(many, 'create a contact', ['crm50'])).toBe('crm50-create-contact')
    expect(await best(many, 'create a contact in crm20', ['crm50'])).toBe('crm20-create-contact')
  })

  it('understands words that occur in no function by their meaning', async () => {
    const shop = [
      fn('shop', 'Delete customer', 'Removes a customer for good.'),
      fn('shop', 'Create customer', 'Adds a customer to the shop.'),
      fn('shop', 'List invoices', 'Lists the invoices of the shop.'),
    ]
    expect(await best(shop, 'show me all bills')).toBe('shop-list-invoices')
    expect(await best(shop, 'erase this client')).toBe('shop-delete-customer')
  })

  it('reads only the first 2,000 characters of a prompt, after normalization', async () => {
    expect(await best(garden, `${'ﷺ'.repeat(100)} mow the lawn`)).toBe('plantina-mow-lawn')
    expect(await best(garden, `${'ﷺ'.repeat(200)} mow the lawn`)).toBeUndefined()
  })

  it('finds nothing in an empty catalog', async () => {
    expect(await best([], 'mow the lawn')).toBeUndefined()
  })

  it('does not depend on catalogs that were read before', async () => {
    const alone = await readKnowledge(WEIGHTS)
    await buildRanker([fn('zoo', 'Feed lion', 'Feeds a lion in its cage.')], alone)
    const options = { connected: () => false, count: 3 }
    const after = (await buildRanker(garden, alone)).rank('water flowers of the lion', options)
    const { fits, ranked } = (await buildRanker(garden, await readKnowledge(WEIGHTS))).rank('water flowers of the lion', options)
    expect([after.fits, after.ranked]).toEqual([fits, ranked])
  })

  it('lets other work run while it is built', async () => {
    const many = Array.from({ length: 3_000 }, (_, i) => fn(`app${i}`, `Do thing ${i}`, `Does thing ${i} of many, with care, in a garden.`))
    let turns = 0
    const count = () => {
      turns++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    await buildRanker(many, knowledge)
    clearImmediate(next)
    expect(turns).toBeGreaterThan(5)
  })
})

it('readKnowledge rejects a ranker that was trained for other features', async () => {
  await expect(readKnowledge(WEIGHTS, 'packages/predict/test/cases/other-ranker')).rejects.toThrow('was trained for other features')
})
