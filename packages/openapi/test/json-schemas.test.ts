import { importParameters } from '@onward/openapi'

describe('importParameters', () => {
  it('gives each parameter a valid name and returns the property that it was made from', () => {
    const { properties, names, required } = importParameters({
      type: 'object',
      properties: { 'city[name]': { type: ['string', 'null'] }, constructor: { type: 'integer' }, plain: { description: 'Plain.' } },
      required: ['city[name]', 'missing'],
    })
    expect(names).toEqual({ city_name: 'city[name]', body_constructor: 'constructor', plain: 'plain' })
    expect(required).toEqual(['city_name'])
    expect(properties).toEqual({
      city_name: { type: 'string', nullable: true, description: 'City name.' },
      body_constructor: { type: 'integer', description: 'Constructor.' },
      plain: { type: 'string', description: 'Plain.' },
    })
  })

  it('follows references into the schema itself and drops a default that its schema does not accept', () => {
    const { properties } = importParameters({
      $defs: { place: { type: 'object', properties: { zip: { type: 'string' } } } },
      type: 'object',
      properties: {
        to: { $ref: '#/$defs/place' },
        from: { $ref: 'other.json#/x' },
        by: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        days: { type: 'integer', default: 'many' },
      },
    })
    expect(properties.to).toEqual({ type: 'object', properties: { zip: { type: 'string' } }, description: 'To.' })
    expect(properties.from).toEqual({ type: 'string', description: 'From.' })
    expect(properties.by).toEqual({ type: 'integer', nullable: true, description: 'By.' })
    expect(properties.days).toEqual({ type: 'integer', description: 'Days.' })
  })

  it('returns no parameters for a schema without properties', () => {
    expect(importParameters({})).toEqual({ properties: {}, required: [], names: {} })
  })
})
