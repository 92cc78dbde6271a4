import { endpoint } from '@onward/contract'
import { ExactNumber } from '@onward/json'
import express from 'express'
import request from 'supertest'
import {
  assignRequestId,
  convertTexts,
  mount,
  openLog,
  Refusal,
  type Route,
  type RouteOf,
  readBody,
  routesOf,
  STREAMED,
  sendErrors,
} from '../src/index.ts'

const route: RouteOf<{ greeting: string }, string> = routesOf()

const find = endpoint({
  method: 'get',
  path: '/things/:id/find',
  summary: 'Find.',
  query: {
    type: 'object',
    required: ['must'],
    properties: {
      must: { type: 'string', minLength: 1 },
      on: { type: 'boolean' },
      size: { type: 'integer', minimum: 1, default: 50 },
      kind: { type: 'string', enum: ['meta'] },
    },
  },
  response: { type: 'object' },
})
const store = endpoint({
  method: 'post',
  path: '/things',
  summary: 'Store.',
  body: {
    type: 'object',
    required: ['count'],
    additionalProperties: false,
    properties: { count: { type: 'integer' }, on: { type: ['boolean', 'null'] }, sure: { type: 'boolean' }, deep: { type: 'object' } },
  },
  response: { type: 'object' },
})
const storeAll = endpoint({
  method: 'post',
  path: '/all',
  summary: 'Store all.',
  body: { type: 'array', maxItems: 3, items: { type: 'integer' } },
  response: { type: 'object' },
})

const echo = async (context: unknown, { params, query, body, caller }: Record<string, unknown>) => ({
  context,
  params,
  query,
  body,
  caller,
})

function openApp(routes: readonly Route<{ greeting: string }>[], checkResponses = false) {
  const app = express()
  app.use(
    assignRequestId,
    (_req, res, next) => {
      res.locals.caller = 'the caller'
      next()
    },
    ...readBody(10_000),
  )
  mount(app, { greeting: 'hi' }, routes, { checkResponses })
  app.use(sendErrors(openLog('test', 'silent')))
  return app
}

const app = openApp([route(find, echo as never), route(store, echo as never), route(storeAll, echo as never)])
const found = async (search: string) => await request(app).get(`/things/7/find${search}`)

describe('mount', () => {
  it.each([
    ['a listed code', ['app_not_found'], 404],
    ['a code that the endpoint does not list', [], 500],
    ['any code, if the endpoint has no list', undefined, 404],
  ] as const)('with checkResponses, answers %s with its status or as an error of the service', async (_what, errors, status) => {
    const refusing = route({ ...storeAll, errors }, async () => {
      throw new Refusal('app_not_found', 'there is no such app')
    })
    await request(openApp([refusing], true))
      .post('/all')
      .send([])
      .expect(status)
    await request(openApp([refusing], false))
      .post('/all')
      .send([])
      .expect(404)
  })

  it('passes the context, the path variables and the caller to the route, with or without a final slash', async () => {
    for (const path of ['/things/a%2Fb/find?must=x', '/things/a%2Fb/find/?must=x']) {
      const { body } = await request(app).get(path).expect(200)
      expect(body).toMatchObject({ context: { greeting: 'hi' }, params: { id: 'a/b' }, caller: 'the caller' })
    }
  })

  it('answers 400 when the path cannot be decoded', async () => {
    const { body } = await request(app).get('/things/%zz/find?must=x').expect(400)
    expect(body).toEqual({
      error: 'the request could not be read',
      error_details: [],
      code: 'invalid_body',
      request_id: expect.any(String),
    })
  })

  it('sends nothing after a route that has written the answer itself', async () => {
    const streaming = openApp([
      route(find, async (_context, { response }) => {
        response.status(201).end('by itself')
        return STREAMED
      }),
    ])
    const { text } = await request(streaming).get('/things/7/find?must=x').expect(201)
    expect(text).toBe('by itself')
  })
})

describe('a body with very many problems', () => {
  it('is refused with the first 50 of them, and says that there are more', async () => {
    const large = express()
    large.use(...readBody(4_000_000))
    mount(large, { greeting: 'hi' }, [route(store, echo as never)], { checkResponses: false })
    large.use(sendErrors(openLog('test', 'silent')))
    const keys = Array.from({ length: 50_000 }, (_, at) => `k${at}`)
    const { body } = await request(large)
      .post('/things')
      .send(Object.fromEntries(keys.map((key) => [key, '\0'])))
      .expect(400)
    expect(body.error_details).toHaveLength(51)
    expect(body.error_details.slice(-2)).toEqual(['k48: is not known here', 'body: has more problems'])
  })
})

describe('the query of a mounted route', () => {
  it.each([
    ['on=true', true],
    ['on=True', true],
    ['on=1', true],
    ['on=false', false],
    ['on=False', false],
    ['on=0', false],
    ['on=', undefined],
    ['', undefined],
  ])('accepts a boolean in each spelling of published clients: %s', async (search, on) => {
    const { body } = await found(`?must=x&${search}`)
    expect(body.query.on).toBe(on)
  })

  it('is coerced to numbers, gets defaults, and loses unknown parameters', async () => {
    expect((await found('?must=1&size=7&other=1&__proto__=1')).body.query).toEqual({ must: '1', size: 7 })
    expect((await found('?must=x&size=')).body.query).toEqual({ must: 'x', size: 50 })
  })

  it('is checked for misspelt names, but only among the first 20 unknown ones', async () => {
    const others = (count: number) => Array.from({ length: count }, (_, n) => `x${n}=1`).join('&')
    const { status, body } = await found(`?must=x&${others(19)}&sise=7`)
    expect([status, body.error_details]).toEqual([400, ['sise: is not known here; did you mean size?']])
    expect((await found(`?must=x&${others(20)}&sise=7`)).body.query).toEqual({ must: 'x', size: 50 })
  })

  it.each([
    ['must=&size=5', ['must: is required']],
    ['must=x&size=0', ['size: must be a whole number, 1 or more']],
    ['must=x&size=many&kind=all', ['size: must be a whole number, 1 or more', 'kind: must be one of "meta"']],
    ['must=x&must=y', ['must: must be text']],
    ['must=x&on=perhaps', ['on: must be true or false']],
  ])('is refused: %s', async (search, error_details) => {
    const { status, body } = await found(`?${search}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: 'the parameters are not valid', error_details, code: 'invalid_parameters' })
  })
})

describe('the body of a mounted route', () => {
  it('is not coerced when it is JSON', async () => {
    expect((await request(app).post('/things').send({ count: 1, deep: {} })).body.body).toEqual({ count: 1, deep: {} })
    const { status, body } = await request(app).post('/things').send({ count: '1', on: 'true' })
    expect(status).toBe(400)
    expect(body.error_details).toEqual(['count: must be a whole number', 'on: must be true or false or null'])
  })

  it('is coerced when it is a form, with each spelling of booleans', async () => {
    const { body } = await request(app).post('/things').type('form').send('count=1&on=True&sure=0&deep[a]=b').expect(200)
    expect(body.body).toEqual({ count: 1, on: true, sure: false, deep: { a: 'b' } })
    await request(app).post('/things').type('form').send('count=one').expect(400)
  })

  it.each([[[]], ['text'], [7], [null]])('is named `body` in the problem when it has the wrong type: %j', async (sent) => {
    const { status, body } = await request(app).post('/things').type('json').send(JSON.stringify(sent))
    expect(status).toBe(400)
    expect(body.error_details).toEqual(['body: must be an object, such as {"count": …}'])
  })

  it('can be an array only in JSON', async () => {
    expect((await request(app).post('/all').send([1, 2])).body.body).toEqual([1, 2])
    const { status, body } = await request(app).post('/all').type('form').send('0=1')
    expect(status).toBe(415)
    expect(body.code).toBe('unsupported_media_type')
  })

  it('is refused when it is an array that is too long, or no array', async () => {
    expect((await request(app).post('/all').send([1, 2, 3, 'x'])).body.error_details).toEqual(['body: must have at most 3 items'])
    expect((await request(app).post('/all').send({})).body.error_details).toEqual(['body: must be an array'])
    expect((await request(app).post('/all')).body.error_details).toEqual(['body: must be an array'])
  })
})

describe('convertTexts', () => {
  const numbers = { type: 'array', items: { type: 'number' } }
  it.each([
    [
      'text in an object',
      { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'integer' } } } } },
      { a: { b: '5' } },
      { a: { b: 5 } },
    ],
    [
      'text in a map',
      { type: 'object', additionalProperties: { type: 'boolean' } },
      { a: 'True', b: '0', c: '2' },
      { a: true, b: false, c: '2' },
    ],
    ['the items of a list', numbers, ['-1', '2.5', '1e3', '007', 'Infinity'], [-1, 2.5, new ExactNumber('1e3'), 7, Number.NaN]],
    ['an item without its list', numbers, '1e309', new ExactNumber('1e309')],
    ['a list without need', { type: 'integer' }, ['0x1'], [Number.NaN]],
    ['no text that may be text', { type: ['string', 'number'] }, '5', '5'],
    ['no empty text', { type: ['integer', 'null'] }, '', ''],
    ['nothing without a schema', undefined, { a: ['5'] }, { a: ['5'] }],
  ])('converts %s', (_what, schema, value, converted) => {
    expect(convertTexts(value, schema)).toEqual(converted)
  })
})
