import { ERROR_STATUS, type ErrorCode, endpoint, errorBody } from '@onward/contract'
import express, { type Express, type RequestHandler } from 'express'
import request from 'supertest'
import {
  assignRequestId,
  compileCheck,
  makeEndpoints,
  mount,
  openDatabase,
  openLog,
  Refusal,
  refuseUnknownPath,
  routesOf,
  sendErrors,
} from '../src/index.ts'
import { openLogFile } from './log-file.ts'

const SECRET = 'hunter2-of-the-test'
const fitsErrorBody = compileCheck(errorBody, 'strict')

function openApp(handler: RequestHandler, log = openLog('test', 'silent')): Express {
  const app = express().use(assignRequestId)
  app.get('/it', handler)
  return app.use(refuseUnknownPath(makeEndpoints([], ['/it'])), sendErrors(log))
}

function failing(err: unknown, log?: ReturnType<typeof openLog>): Express {
  return openApp(async () => {
    throw err
  }, log)
}

describe('answerErrors', () => {
  it.each(Object.entries(ERROR_STATUS) as [ErrorCode, number][])('answers the refusal %s with %i', async (code, status) => {
    const { body } = await request(failing(new Refusal(code, 'the text', ['field: the detail'])))
      .get('/it')
      .expect(status)
    expect(body).toEqual({ error: 'the text', error_details: ['field: the detail'], code, request_id: expect.any(String) })
    expect(fitsErrorBody(body)).toEqual([])
  })

  it.each([
    ['an error', new Error(SECRET)],
    ['an error of an HTTP client', Object.assign(new Error(SECRET), { status: 502, response: { data: SECRET } })],
    ['text', SECRET],
    ['nothing', null],
    ['an error of the data', Object.assign(new Error(`invalid input syntax: "${SECRET}"`), { code: '22P02', detail: SECRET })],
    ['an error of Node', Object.assign(new Error(SECRET), { code: 'ERR_INVALID_ARG_TYPE' })],
  ])('answers 500 without detail to a bug: %s', async (_name, err) => {
    const { body, text, headers } = await request(failing(err)).get('/it').expect(500)
    expect(fitsErrorBody(body)).toEqual([])
    expect(body.code).toBe('internal_error')
    expect(text + JSON.stringify(headers)).not.toContain(SECRET)
  })

  it.each([
    ['a connection that broke', new Error('Connection terminated unexpectedly')],
    ['a query that the server did not answer', new Error('Query read timeout')],
    ['a connection that could not be had', new Error('timeout exceeded when trying to connect')],
    ['a client that is of no use any more', new Error('Client has encountered a connection error and is not queryable')],
    ['a refused connection', Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' })],
    ['a broken pipe', Object.assign(new Error(`write EPIPE ${SECRET}`), { code: 'EPIPE' })],
    ['a server that stops', Object.assign(new Error(SECRET), { code: '57P01' })],
    ['a name that can not be looked up', Object.assign(new Error(SECRET), { code: 'EAI_AGAIN' })],
    ['too many connections', Object.assign(new Error(SECRET), { code: '53300' })],
  ])('answers 503 when the database is unavailable: %s', async (_name, err) => {
    const { body, text } = await request(failing(err)).get('/it').expect(503)
    expect(body.code).toBe('unavailable')
    expect(text).not.toContain(SECRET)
  })

  it('answers 503 when no database listens', async () => {
    const db = openDatabase<{ things: { id: string } }>(`postgres://user:${SECRET}@127.0.0.1:1/x`, 2)
    const app = openApp(async (_req, res) => {
      res.json(await db.selectFrom('things').selectAll().execute())
    })
    const { body, text } = await request(app).get('/it').expect(503)
    expect(body.code).toBe('unavailable')
    expect(text).not.toMatch(/hunter2|127\.0\.0\.1|ECONN/)
    await db.destroy()
  })

  it('logs a bug once, with its stack trace and without the query string, and does not log a refusal', async () => {
    const { log, lines, close } = await openLogFile()
    await request(failing(new Refusal('not_found', 'no'), log)).get('/it')
    await request(failing(new Error('the bug'), log)).get(`/it?hash=${SECRET}`)
    const written = await lines()
    expect(written).toMatchObject([{ level: 50, msg: 'a request failed', method: 'GET', path: '/it', err: { message: 'the bug' } }])
    expect(JSON.stringify(written)).not.toContain(SECRET)
    await close()
  })

  it.each([
    ['a bug', new Error('late')],
    ['a refusal', new Refusal('not_found', 'late')],
  ])('closes the connection of an answer that has already begun: %s', async (_name, err) => {
    const app = openApp(async (_req, res) => {
      res.status(200).write('a part of it')
      throw err
    })
    await expect(request(app).get('/it')).rejects.toThrow(/aborted|hang up/)
  })

  it('answers 404 to a path without an endpoint', async () => {
    const { body } = await request(failing(new Error())).get('/other').expect(404)
    expect(body).toEqual({ error: 'there is no such endpoint', error_details: [], code: 'not_found', request_id: expect.any(String) })
  })
})

describe('the answer of a mounted route', () => {
  const shape = endpoint({
    method: 'get',
    path: '/it',
    summary: 'It.',
    response: { type: 'object', required: ['count'], additionalProperties: false, properties: { count: { type: 'integer' } } },
  })
  const serve = (response: unknown, checkResponses: boolean, log = openLog('test', 'silent')) => {
    const app = express()
    mount(app, {}, [routesOf<object, undefined>()(shape, async () => response as { count: number })], { checkResponses })
    return app.use(sendErrors(log))
  }

  it('is sent when it matches its schema', async () => {
    const { body } = await request(serve({ count: 1, left: undefined }, true))
      .get('/it')
      .expect(200)
    expect(body).toEqual({ count: 1 })
  })

  it.each([[{ count: '1' }], [{}], [{ count: 1, secret: SECRET }], [null]])(
    'fails the request when answers are checked and it does not match its schema: %j',
    async (response) => {
      const { log, lines, close } = await openLogFile()
      const { body, text } = await request(serve(response, true, log))
        .get('/it')
        .expect(500)
      expect(body.code).toBe('internal_error')
      expect(text).not.toContain(SECRET)
      expect(await lines()).toMatchObject([{ err: { message: expect.stringContaining('the answer of /it does not match its schema: ') } }])
      await close()
    },
  )

  it('is sent unchecked when answers are not checked', async () => {
    await request(serve({ count: '1' }, false))
      .get('/it')
      .expect(200, { count: '1' })
  })
})
