import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { startFunctions } from '../../src/index.ts'
import { ModelError } from '../../src/predict/model/model-error.ts'
import { readVectors } from '../../src/predict/model/model-server.ts'
import { isFunction, openScriptedModel } from '../support/scripted-model.ts'
import { type Functions, openFunctions } from '../support/support.ts'

async function openWithEmbeddings(env: Readonly<Record<string, string>> = {}) {
  const model = await openScriptedModel()
  const onward = await openFunctions({ env: { ...model.env, EMBEDDING_MODEL: 'embedder-1', ...env } })
  return { model, onward, texts: () => model.embeds().flatMap(({ input }) => input.filter(isFunction)) }
}

type Running = { readonly url: string }

async function predict(onward: Functions, prompt: string, { url }: Running = onward): Promise<string[]> {
  const headers = { ...onward.user('joe').headers, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/functions/predict`, { method: 'POST', headers, body: JSON.stringify({ prompt }) })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { functions: { name: string }[] }).functions.map(({ name }) => name)
}

async function stored({ db }: Functions): Promise<number> {
  const { rows } = await sql`select from function_embedding`.execute(db)
  return rows.length
}

const fileOf = (description: string) => ({
  name: 'zoo',
  title: 'Zoo',
  description: 'Animals.',
  base_url: '{account.url}',
  auth: { type: 'none' },
  account_settings: { url: { title: 'URL', description: 'Where it is.' } },
  functions: {
    'list-animals': { title: 'List animals', description, type: 'QUERY', request: { method: 'GET', path: '/animals' } },
  },
})

const prompt = 'open a ticket'
const offline = ['desk-create-ticket']
const hybrid = ['desk-list-tickets']

describe('the embeddings of a catalog', () => {
  it('are requested in batches, and rank first the functions that the prompt means', async () => {
    const { model, onward, texts } = await openWithEmbeddings()
    model.means('Desk: List tickets', 'Desk: Create ticket')
    await eventually(async () => expect(await predict(onward, prompt)).toEqual(hybrid))
    expect(texts()).toHaveLength(await stored(onward))
    expect(new Set(texts()).size).toBe(texts().length)
    const [first] = model.embeds()
    expect(first).toMatchObject({ model: 'embedder-1', encoding_format: 'float' })
    expect(first?.input.length).toBeLessThanOrEqual(64)
    expect(texts().find((text) => text.startsWith('Desk: Create ticket\n'))).toMatch(/Opens a ticket[\s\S]*priority: How urgent it is\./)
    await onward.close()
  })

  it('are stored: neither a restart nor another process requests them again', async () => {
    const { model, onward, texts } = await openWithEmbeddings()
    model.means('Desk: List tickets', 'Desk: Create ticket')
    await eventually(async () => expect(await predict(onward, prompt)).toEqual(hybrid))
    model.forget()
    const other = await startFunctions(onward.config)
    try {
      await eventually(async () => expect(await predict(onward, prompt, other)).toEqual(hybrid))
      expect(texts()).toEqual([])
    } finally {
      await other.close()
    }
    await onward.close()
  })

  it('are requested again only for functions that change', async () => {
    const { model, onward, texts } = await openWithEmbeddings()
    model.means('Desk: List tickets', 'Desk: Create ticket')
    await eventually(async () => expect(await predict(onward, prompt)).toEqual(hybrid))
    model.forget()
    for (const description of ['Lists the animals of the zoo.', 'Lists all that lives in the zoo.']) {
      await onward.admin('put', '/admin/apps/zoo', { file: fileOf(description) }).expect(200)
      await eventually(() => expect(texts().filter((text) => text.includes(description))).toHaveLength(1))
    }
    expect(texts().every((text) => text.startsWith('Zoo: '))).toBe(true)
    await eventually(async () => expect(await predict(onward, prompt)).toEqual(hybrid))
    await onward.close()
  })

  it('let a model choose functions that share no word with the prompt', async () => {
    const { model, onward } = await openWithEmbeddings({ MODEL_NAME: 'chooser-1' })
    model.means('Larch: Water flowers', 'Desk: Create ticket')
    model.calls(['larch-water-flowers', {}])
    await eventually(async () => expect(await predict(onward, 'Blumen gießen')).toEqual(['larch-water-flowers']))
    await onward.close()
  })

  it('do not decide that something fits', async () => {
    const { model, onward } = await openWithEmbeddings()
    model.means('Desk: List tickets', 'Desk: Create ticket')
    await eventually(async () => expect(await predict(onward, prompt)).toEqual(hybrid))
    expect(await predict(onward, 'zzzqqq xyzzy')).toEqual([])
    await onward.close()
  })

  it('are ignored when the embedding of the prompt is slow', async () => {
    const { model, onward } = await openWithEmbeddings()
    model.means('Desk: List tickets', 'Desk: Create ticket')
    await eventually(async () => expect(await predict(onward, prompt)).toEqual(hybrid))
    model.answersEmbeds(() => {})
    expect(await predict(onward, prompt)).toEqual(offline)
    await onward.close()
  })

  it('are requested in smaller batches when the server refuses the size, and without a text that it refuses', async () => {
    const model = await openScriptedModel()
    const refused = 'Desk: Create ticket\n'
    model.answersEmbeds(({ body }, response) => {
      const { input } = JSON.parse(body) as { input: string[] }
      if (input.length > 3 || input.some((text) => text.startsWith(refused))) return sendJson(response, 413, {})
      sendJson(response, 200, { data: input.map((_, index) => ({ index, embedding: [1, 2] })) })
    })
    const onward = await openFunctions({ env: { ...model.env, EMBEDDING_MODEL: 'embedder-1' } })
    const asked = () => new Set(model.embeds().flatMap(({ input }) => input))
    await eventually(async () => expect([await stored(onward), asked().size]).toEqual([asked().size - 1, expect.any(Number)]))
    expect([...asked()].some((text) => text.startsWith(refused))).toBe(true)
    expect(asked().size).toBeGreaterThan(10)
    await onward.close()
  })

  it('are not stored when they are invalid', async () => {
    const model = await openScriptedModel()
    model.answersEmbeds((_received, response) => sendJson(response, 200, { data: [{ index: 0, embedding: [1, 2] }] }))
    const onward = await openFunctions({ env: { ...model.env, EMBEDDING_MODEL: 'embedder-1' } })
    await eventually(() => expect(model.embeds().length).toBeGreaterThan(0))
    expect(await predict(onward, prompt)).toEqual(offline)
    expect(await stored(onward)).toBe(0)
    await onward.close()
  })
})

describe('readVectors', () => {
  it('returns the vectors in the order of the texts', () => {
    const data = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] },
    ]
    expect(readVectors({ data }, 2)).toEqual([
      [1, 0],
      [0, 1],
    ])
    expect(readVectors({ data: [{ embedding: [1] }, { embedding: [2] }] }, 2)).toEqual([[1], [2]])
  })

  it.each<[string, unknown]>([
    ['an empty response', null],
    ['data that is not a list', { data: {} }],
    ['too few vectors', { data: [{ index: 0, embedding: [1, 2] }] }],
    ['a null item', { data: [null, { index: 1, embedding: [1] }] }],
    ['a vector as text', { data: [{ embedding: [1] }, { embedding: 'AAAA' }] }],
    ['a value that is not finite', { data: [{ embedding: [1] }, { embedding: [null] }] }],
    ['a vector of zeros', { data: [{ embedding: [1] }, { embedding: [0] }] }],
    ['empty vectors', { data: [{ embedding: [] }, { embedding: [] }] }],
    ['vectors of different lengths', { data: [{ embedding: [1] }, { embedding: [1, 2] }] }],
    ['vectors that are too long', { data: [{ embedding: Array(9_000).fill(1) }, { embedding: Array(9_000).fill(1) }] }],
    [
      'the same twice',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    ],
    [
      'one out of range',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 2, embedding: [1] },
        ],
      },
    ],
    [
      'one below range',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: -1, embedding: [1] },
        ],
      },
    ],
  ])('rejects %s', (_what, answer) => {
    expect(() => readVectors(answer, 2)).toThrow(new ModelError('invalid'))
  })
})
