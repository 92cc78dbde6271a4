import * as contract from '@onward/contract'
import express, { type Express } from 'express'
import request from 'supertest'
import { answerErrors, mount, openLog, readBody } from '../src/index.ts'

type Endpoint = contract.EndpointShape
const FORM = 'application/x-www-form-urlencoded'

/** Every endpoint of both areas and of both admin APIs, by its name in the contract. */
const endpoints = Object.entries(contract as Record<string, unknown>).filter(
  (entry): entry is [string, Endpoint] => Object(entry[1]).method !== undefined && Object(entry[1]).path !== undefined,
)

const apps = new Map<Endpoint, Express>()

/** Serves one endpoint, whose handler accepts everything. Some endpoints of the two admin APIs have the same path. */
function appOf(endpoint: Endpoint): Express {
  const app = apps.get(endpoint) ?? express().use(...readBody(1_048_576))
  if (!apps.has(endpoint)) {
    mount(app, {}, [{ endpoint, handle: async () => ({}) }], false)
    app.use(answerErrors(openLog('test', 'silent')))
  }
  apps.set(endpoint, app)
  return app
}

async function send(endpoint: Endpoint, query: string, type = FORM, body = '') {
  const path = endpoint.path.replaceAll(/:\w+/g, 'x')
  return await request(appOf(endpoint))[endpoint.method](`${path}?${query}`).type(type).send(body)
}

/** Returns each property of an endpoint's query or object body that takes numbers only. */
function numbersOf(part: 'query' | 'body') {
  return endpoints.flatMap(([name, endpoint]) =>
    Object.entries(endpoint[part]?.properties ?? {})
      .filter(([, schema]) => ['integer', 'number'].includes(Object(schema).type))
      .map(([property]) => [name, property, endpoint] as const),
  )
}

/** Texts that JavaScript converts to a number but that are not finite decimal numbers, and some that are no numbers at all. */
const NO_NUMBERS = [
  'Infinity',
  '-Infinity',
  'NaN',
  '1e309',
  '-1e309',
  '1e9999',
  '0x10',
  '0b1',
  '0o7',
  ' ',
  ' 5',
  '\t',
  '+5',
  '.5',
  '5.',
  '1_0',
  '٣',
]

describe('a number', () => {
  it.each(numbersOf('query'))('of the query of %s is a finite decimal number: %s', async (_name, property, endpoint) => {
    for (const text of NO_NUMBERS) {
      const { status, body } = await send(endpoint, `${property}=${encodeURIComponent(text)}`)
      expect([text, status, body.code]).toEqual([text, 400, 'invalid_parameters'])
      expect(body.error_details).toContainEqual(expect.stringMatching(`^${property}: must be a (whole )?number`))
    }
  })

  it.each(numbersOf('body'))('of the form of %s is a finite decimal number: %s', async (_name, property, endpoint) => {
    for (const text of ['', ...NO_NUMBERS]) {
      const value = encodeURIComponent(text)
      for (const form of [`${property}=${value}`, `${property}[]=${value}`]) {
        const { status, body } = await send(endpoint, '', FORM, form)
        expect([form, status, body.code]).toEqual([form, 400, 'invalid_parameters'])
        expect(body.error_details).toContainEqual(expect.stringMatching(`^${property}: must be a (whole )?number`))
      }
    }
  })

  it.each(endpoints.filter(([, { body }]) => body !== undefined))('of the JSON of %s is finite, in any field', async (_name, endpoint) => {
    for (const [json, field] of [
      ['{"a":[0,{"b":1e400}]}', 'a[1].b'],
      ['[{"allowed_tasks":-1e400}]', '[0].allowed_tasks'],
      ['1e400', 'body'],
    ]) {
      const { status, body } = await send(endpoint, '', 'application/json', json)
      expect([status, body.code, body.error_details]).toEqual([400, 'invalid_parameters', [`${field}: must be a finite number`]])
    }
  })
})
