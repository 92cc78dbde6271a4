import { functionsOf, importDocument, openApi } from './import-document.ts'

type Parts = Readonly<Record<string, unknown>>

const text = { type: 'string' }
const whole = { type: 'integer' }
const items = { type: 'array', items: { type: 'object', properties: { id: text } } }
const object = (properties: Parts) => ({ type: 'object', properties })

async function pagesOf(parameters: Parts, response: unknown, headers: Parts = {}, method = 'get') {
  const query = Object.entries(parameters).map(([name, schema]) => ({ name, in: 'query', schema }))
  const responses = { 200: { headers, content: { 'application/json': { schema: response } } } }
  const imported = await importDocument(openApi({ '/pets': { [method]: { operationId: 'findPets', parameters: query, responses } } }))
  const [fn] = Object.values(functionsOf(imported))
  const definition = imported.file?.functions['find-pets']
  return {
    paging: definition?.paging,
    output: definition?.response?.output,
    parameters: Object.keys(fn?.parameters.properties ?? {}),
    paged: fn?.paged,
  }
}

describe('paging', () => {
  it.each<[string, Parts, unknown, Parts, unknown, string[]]>([
    [
      'by cursor',
      { cursor: text, limit: whole },
      object({ pets: items, response_metadata: object({ next_cursor: text }) }),
      {},
      { style: 'cursor', parameter: 'cursor', next: '/response_metadata/next_cursor' },
      ['limit'],
    ],
    [
      'by page token',
      { pageToken: text },
      object({ items, nextPageToken: text }),
      {},
      { style: 'cursor', parameter: 'pageToken', next: '/nextPageToken' },
      [],
    ],
    [
      'by bracketed cursor',
      { 'page[after]': text },
      object({ data: items, meta: object({ page: object({ after: text }) }) }),
      {},
      { style: 'cursor', parameter: 'page[after]', next: '/meta/page/after' },
      [],
    ],
    [
      'by nested cursor',
      { starting_after: text, ending_before: text },
      object({ data: items, pages: object({ next: object({ starting_after: text }) }) }),
      {},
      { style: 'cursor', parameter: 'starting_after', next: '/pages/next/starting_after' },
      [],
    ],
    [
      'by last id',
      { starting_after: text, limit: whole },
      object({ object: text, data: items, has_more: { type: 'boolean' } }),
      {},
      { style: 'last_id', parameter: 'starting_after', id: '/id', more: '/has_more' },
      ['limit'],
    ],
    ['by Link header', { page: whole, per_page: whole }, items, { Link: {} }, { style: 'link', parameters: ['page'] }, ['per_page']],
    ['by page', { page: whole }, items, {}, { style: 'page', parameter: 'page' }, []],
    [
      'by page from 0',
      { page: { ...whole, default: 0 } },
      object({ pets: items, total_pages: whole }),
      {},
      { style: 'page', parameter: 'page', first: 0, total_pages: '/total_pages' },
      [],
    ],
    [
      'by offset',
      { offset: whole, limit: whole },
      object({ pets: items, total: whole }),
      {},
      { style: 'offset', parameter: 'offset', total: '/total' },
      ['limit'],
    ],
    [
      'by URL',
      { Page: whole, PageToken: text },
      object({ pets: items, next_page_uri: { ...text, format: 'uri' } }),
      {},
      { style: 'next_url', next: '/next_page_uri' },
      [],
    ],
    [
      'by a link of the body',
      { page: whole },
      object({ data: items, links: object({ next: { ...text, format: 'uri' } }) }),
      {},
      { style: 'next_url', next: '/links/next' },
      [],
    ],
  ])('recognises %s and removes its parameters from the function', async (_, parameters, response, headers, paging, left) => {
    expect(await pagesOf(parameters, response, headers)).toMatchObject({ paging, parameters: left, paged: true })
  })

  it.each<[string, Parts, unknown]>([
    ['a cursor that the answer does not give', { cursor: text }, object({ pets: items })],
    ['an answer that gives one, and nothing takes it', { limit: whole }, object({ pets: items, next_cursor: text })],
    ['a page of something that is no list', { page: whole }, object({ text })],
    ['a page that is a name', { page: text }, items],
    ['an offset that must be given', { offset: { type: 'array', items: whole } }, items],
  ])('is not recognised in %s', async (_, parameters, response) => {
    expect(await pagesOf(parameters, response)).toMatchObject({ paging: undefined, parameters: Object.keys(parameters), paged: false })
  })

  it('is never added to an ACTION', async () => {
    expect(await pagesOf({ page: whole }, items, {}, 'post')).toMatchObject({ paging: undefined, parameters: ['page'] })
  })
})

describe('the output', () => {
  it.each<[string, unknown, string | undefined]>([
    ['the one list beside what tells of paging', object({ pets: items, total_count: whole, links: object({ next: text }) }), '/pets'],
    ['a list whose name needs escaping', object({ 'a/b': items }), '/a~1b'],
    ['the whole of an object with two lists', object({ pets: items, toys: items }), undefined],
    ['the whole of an object with other things', object({ pets: items, owner: text }), undefined],
    ['the whole of a list', items, undefined],
    ['the whole of what is not described', {}, undefined],
    ['the whole where the description is broken', { $ref: '#/components/schemas/Gone' }, undefined],
  ])('is %s', async (_, response, output) => {
    expect((await pagesOf({}, response)).output).toBe(output)
  })
})
