import * as contract from '@onward/contract'
import { compileCheck } from '../src/index.ts'

type Endpoint = contract.EndpointShape
const endpoints = Object.entries(contract).filter((entry): entry is [string, Endpoint & (typeof entry)[1]] => {
  const [, value] = entry
  return typeof value === 'object' && 'method' in value && 'path' in value
})

describe('the schemas of the contract', () => {
  it('belong to both areas and their admin APIs', () => {
    expect(endpoints.length).toBeGreaterThanOrEqual(26)
  })

  it.each(endpoints)('compile in strict mode: %s', (_name, { query, body, response }: Endpoint) => {
    const warned = jest.spyOn(console, 'warn')
    compileCheck(response, 'strict')
    if (query !== undefined) compileCheck(query, 'coerce')
    if (body !== undefined) compileCheck(body, 'strict')
    if (body?.type === 'object') compileCheck(body, 'coerce')
    expect(warned).not.toHaveBeenCalled()
    warned.mockRestore()
  })

  const { app, callItem, errorBody, functionItem, functionMeta, parameterMeta } = contract
  const { taskConsumed, taskConsumedJob, taskStatus, taskStatusWithPercents } = contract
  const parts = { app, callItem, errorBody, functionItem, functionMeta, parameterMeta }
  const messages = { taskConsumed, taskConsumedJob, taskStatus, taskStatusWithPercents }

  it.each(Object.entries({ ...parts, ...messages }))('compile in strict mode: %s', (_name, schema) => {
    expect(() => compileCheck(schema, 'strict')).not.toThrow()
  })

  it('require only properties that they define', () => {
    for (const [name, { query, body, response }] of endpoints) {
      for (const schema of [query, body, response] as ({ required?: string[]; properties?: object } | undefined)[]) {
        const known = Object.keys(schema?.properties ?? {})
        const unknown = (schema?.required ?? []).filter((key) => !known.includes(key))
        expect([name, unknown]).toEqual([name, []])
      }
    }
  })

  it.each([
    ['user_tasks_limit_80', true],
    ['user_tasks_limit_100', true],
    ['user_tasks_limit_1', true],
    ['user_tasks_limit_0', false],
    ['user_tasks_limit_101', false],
    ['user_tasks_limit_08', false],
    ['user_tasks_limit_80\n', false],
    [' user_tasks_limit_80', false],
    ['tasks_limit_80', false],
  ])('recognise the event kind %j: %s', (event, known) => {
    const check = compileCheck(contract.createSubscription.body, 'strict')
    expect(check({ events: [event], callback_url: 'https://example.com' }).length === 0).toBe(known)
  })

  it.each([
    [[], false],
    [['user_tasks_limit_80', 'user_tasks_limit_80'], false],
    [['user_tasks_limit_80', 'user_tasks_limit_100'], true],
  ])('accept the event kinds %j: %p', (events, fits) => {
    const check = compileCheck(contract.createSubscription.body, 'strict')
    expect(check({ events, callback_url: 'https://example.com' }).length === 0).toBe(fits)
  })
})
