import { STATUS_CODES } from 'node:http'
import { ERROR_HELP, ERROR_STATUS, errorBody } from '../src/index.ts'

describe('ERROR_STATUS', () => {
  it.each(Object.entries(ERROR_STATUS))('maps %s to the HTTP error status %i', (code, status) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(STATUS_CODES[status]).toBeDefined()
    expect(status).toBeGreaterThanOrEqual(400)
  })

  it('does not use 422', () => {
    expect(Object.values(ERROR_STATUS)).not.toContain(422)
  })

  it('contains every code of the schema of error bodies', () => {
    expect(errorBody.properties.code.enum).toEqual(Object.keys(ERROR_STATUS))
  })
})

describe('ERROR_HELP', () => {
  it('explains exactly the codes of ERROR_STATUS', () => {
    expect(new Set(Object.keys(ERROR_HELP))).toEqual(new Set(Object.keys(ERROR_STATUS)))
  })

  it.each(Object.entries(ERROR_HELP))('explains %s in full sentences', (_code, { meaning, remedy }) => {
    for (const text of [meaning, remedy]) expect(text).toMatch(/^\S.*\.$/)
  })
})
