import type { AppFunction, Cursor } from '../src/index.ts'
import { build, parameters, sampleFunction } from './sample-app.ts'

describe('a GraphQL request', () => {
  const graphql = 'query ($n: Int) { issues(first: $n) { nodes {id} } }'
  const request = { method: 'POST', path: '/graphql', graphql, variables: { n: '{n}', filter: { team: { id: '{team}' } } } }
  const fn = sampleFunction({ ...parameters({ n: 'integer', team: 'string' }), request, response: { output: '/data/issues/nodes' } })

  it('sends the unchanged document with the given variables', () => {
    const built = build(fn, { n: 5, team: '{id}' })
    expect(JSON.parse(String(built.body))).toEqual({ query: graphql, variables: { n: 5, filter: { team: { id: '{id}' } } } })
    expect([built.method, built.headers['content-type']]).toEqual(['POST', 'application/json'])
    expect(JSON.parse(String(build(fn).body))).toEqual({ query: graphql, variables: {} })
  })

  it('is JSON also in an app that uses forms', () => {
    const forms = sampleFunction({ request: { method: 'POST', path: '/graphql', graphql } }, { body_type: 'form' })
    expect(build(forms).body).toBe(JSON.stringify({ query: graphql, variables: {} }))
  })

  it('returns the whole response when it contains errors', () => {
    const body = { data: { issues: { nodes: [1] } }, errors: [{ message: 'no' }] }
    expect(fn.readResponse(200, body, null).output).toEqual(body)
    expect(fn.readResponse(200, { ...body, errors: [] }, null).output).toEqual([1])
  })
})

describe('paging of a GraphQL connection', () => {
  const graphql = 'query ($after: String) { issues(after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }'
  const paged = (more: object = {}): AppFunction =>
    sampleFunction({
      request: { method: 'POST', path: '/graphql', graphql, variables: { first: 5 } },
      response: { output: '/data/issues/nodes' },
      paging: { style: 'relay', connection: '/data/issues', ...more },
    })
  const page = (pageInfo: object, nodes: unknown[] = [1]) => ({ data: { issues: { nodes, pageInfo } } })

  it.each<[object, Cursor | null]>([
    [{ hasNextPage: true, endCursor: 'e' }, 'e'],
    [{ hasNextPage: false, endCursor: 'e' }, null],
    [{ endCursor: 'e' }, null],
    [{ hasNextPage: true, endCursor: null }, null],
    [{ hasNextPage: true, endCursor: 'now' }, null],
  ])('reads pageInfo %j', (pageInfo, cursor) => {
    expect(paged().readResponse(200, page(pageInfo), 'now').cursor).toBe(cursor)
  })

  it('goes on after an empty page, and ends at a response with errors', () => {
    const info = { hasNextPage: true, endCursor: 'e' }
    expect(paged().readResponse(200, page(info, []), 'now')).toEqual({ output: [], cursor: 'e' })
    expect(paged().readResponse(200, page({ hasNextPage: true, endCursor: null }), 'now')).toMatchObject({
      cursor: null,
      nextPageProblem: 'endCursor is missing, although the app says that there are more pages',
    })
    const broken = { ...page(info), errors: [{ message: 'no' }] }
    expect(paged().readResponse(200, broken, null)).toEqual({ output: broken, cursor: null })
  })

  it('sends the cursor as a variable', () => {
    const sent = (fn: AppFunction, cursor: Cursor | null) => JSON.parse(String(build(fn, {}, undefined, cursor).body)).variables
    expect([sent(paged(), null), sent(paged(), 'e'), sent(paged({ variable: 'from' }), 'e')]).toEqual([
      { first: 5 },
      { first: 5, after: 'e' },
      { first: 5, from: 'e' },
    ])
    expect(paged().checkCursor(5)).toEqual(['_cursor: must be text that is not empty'])
  })

  it('supports other styles, where in: body means the variables', () => {
    const paging = { style: 'cursor', parameter: 'cursor', next: '/data/cursor', in: 'body' }
    const fn = sampleFunction({ request: { method: 'POST', path: '/graphql', graphql }, paging })
    expect(JSON.parse(String(build(fn, {}, undefined, 'c').body))).toEqual({ query: graphql, variables: { cursor: 'c' } })
  })
})
