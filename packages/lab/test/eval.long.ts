import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { testParts } from '@onward/testbed'
import { builtInSets, readSet } from '../src/eval/sets.ts'
import { writeTable } from '../src/eval/table.ts'

const CATALOG = [
  {
    name: 'Weather.getForecast',
    app: 'Weather_API',
    app_title: 'Weather',
    title: 'Get forecast',
    description: 'Get the weather forecast of a city.',
    parameters: {
      type: 'object',
      properties: { 'city[name]': { type: ['string', 'null'], description: 'The city.' } },
      required: ['city[name]'],
    },
  },
  {
    name: 'sendInvoice',
    app: 'billing',
    title: 'Send invoice',
    description: 'Send an invoice to a customer by e-mail.',
    parameters: { type: 'object', properties: {} },
  },
  {
    name: '2ndOpinion',
    app: 'billing',
    title: 'Translate a document',
    description: 'Translate a document into another language.',
    parameters: { type: 'object', properties: {} },
  },
]

const QUERIES = [
  {
    id: 'q1',
    prompt: 'Get the weather forecast of the city "Lisbon".',
    gold: ['Weather.getForecast'],
    arguments: { 'city[name]': 'lisbon' },
    subset: 'single',
  },
  { id: 'q2', prompt: 'Send the invoice to the customer by e-mail.', gold: ['sendInvoice'], arguments: {} },
  { id: 'q3', prompt: 'Translate the document into another language.', gold: ['2ndOpinion', 'sendInvoice'], arguments: null },
  // The prompt asks for another function than the gold one, which is ranked below it or not at all.
  { id: 'q4', prompt: 'Translate the document into another language.', gold: ['Weather.getForecast'], arguments: null },
  { id: 'q5', prompt: 'what is love', gold: [], arguments: null },
]

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-eval-'))
  await writeFile(join(folder, 'catalog.jsonl'), CATALOG.map((line) => JSON.stringify(line)).join('\n'))
  await writeFile(join(folder, 'queries.jsonl'), QUERIES.map((line) => JSON.stringify(line)).join('\n'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('pnpm eval --json', () => {
  it('scores a set over HTTP, beside the lexical baseline', async () => {
    const { postgresUrl, redisUrl } = testParts()
    const command = ['--conditions=source', '--import', 'tsx', 'packages/lab/src/eval/main.ts', '--set', folder, '--json']
    const env = { ...process.env, DATABASE_URL: postgresUrl, REDIS_URL: redisUrl }
    const { stdout } = await promisify(execFile)(process.execPath, command, { env })
    const { sets } = JSON.parse(stdout)
    expect(sets[0]).toMatchObject({ functions: 3, prompts: 5, calls: 2, baseline: { recall_at_1: 0.75 } })
    expect(sets[0].shipped).toMatchObject({
      ranking: { recall_at_1: 0.75 },
      abstained: 0,
      refused: 1,
      exact_given: 1,
      exact_end_to_end: 1,
      parameter_precision: 1,
      parameter_recall: 1,
    })
    expect(sets[0].shipped.ms_p95).toBeGreaterThan(0)
    const rows = writeTable(sets)
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
    expect(rows[0]?.slice(2, 6)).toEqual(['ranker', 'recall@1', 'recall@5', 'MRR'])
    expect(rows[2]?.slice(2, 4)).toEqual(['lexical baseline', '.750'])
    expect(rows[3]?.slice(2, 4)).toEqual(['as shipped', '.750'])
  })
})

describe('pnpm eval --before', () => {
  it('shows the scores of a commit beside those of the working tree', async () => {
    const { postgresUrl, redisUrl } = testParts()
    const options = ['--set', folder, '--before', 'HEAD', '--json']
    const command = ['--conditions=source', '--import', 'tsx', 'packages/lab/src/eval/main.ts', ...options]
    const env = { ...process.env, DATABASE_URL: postgresUrl, REDIS_URL: redisUrl }
    const { stdout } = await promisify(execFile)(process.execPath, command, { env })
    const [set] = JSON.parse(stdout).sets
    expect(set.before).toMatchObject({ ranking: { recall_at_1: 0.75 }, refused: 1, exact_given: 1 })
  })
})

describe('readSet', () => {
  it('names the file and the invalid line', async () => {
    await writeFile(join(folder, 'queries.jsonl'), `${JSON.stringify(QUERIES[0])}\n{"id": "q2", "gold": "sendInvoice"}\n`)
    const message = await readSet(folder).catch((err: Error) => err.message)
    expect(message).toContain(`${join(folder, 'queries.jsonl')}:2: `)
    expect(message).toMatch(/prompt.*gold/)
  })
})

describe('our own sets', () => {
  it('hold the examples, the prompts without a fitting function, and the cases of variables', async () => {
    const [examples, variables] = await builtInSets('.')
    const unfitting = examples?.queries.filter(({ gold }) => gold.length === 0) ?? []
    expect(unfitting).toHaveLength(150)
    expect(examples?.queries.length).toBeGreaterThan(2 * unfitting.length)
    expect(variables?.queries).toHaveLength(150)
    const names = new Set(examples?.documents.map(({ name }) => name))
    expect(
      [examples, variables].flatMap((set) => set?.queries.flatMap(({ gold }) => gold)).filter((name) => !names.has(name ?? '')),
    ).toEqual([])
  })
})
