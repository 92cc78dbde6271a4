import type { PolicyRule } from '@onward/contract'
import { type Line, linesOfLock, linesOfSchema, lockOf, problemOf, schemaOf } from '../src/pages/rules/rule-lines.ts'
import { parseRules, printRules, summaryOf } from '../src/pages/rules/rule-text.ts'

describe('the summary of a rule', () => {
  it.each<[PolicyRule, string]>([
    [{ result: 'deny' }, 'all calls'],
    [{ result: 'ask', destructive: true, via: ['mcp'] }, 'destructive functions · from agents'],
    [{ result: 'deny', apps: ['a', 'b', 'c', 'd', 'e'], destructive: false }, 'of a, b, c, 2 more · functions that are not destructive'],
    [
      { result: 'allow', functions: ['x'], types: ['QUERY'], arguments: { properties: { amount: {} } } },
      'x · queries · with a condition on amount',
    ],
    [{ result: 'deny', arguments: { required: ['a'] }, lock: { channel: 'C1' } }, 'with a condition on arguments · locks channel to C1'],
    [
      {
        result: 'allow',
        arguments: {
          properties: {
            amount: { type: 'number', minimum: 10, maximum: 5000 },
            to: { type: 'string', pattern: '@shop\\.com$' },
            unit: { enum: ['EUR', 7] },
          },
        },
      },
      'amount at least 10 and at most 5,000, to ending in @shop.com, unit one of EUR, 7',
    ],
    [{ result: 'allow', arguments: { properties: { to: { const: 'x' } } } }, 'to is x'],
    [{ result: 'allow', arguments: { properties: { to: { pattern: '^(a|b)$' } } } }, 'with a condition on to'],
    [{ result: 'allow', arguments: { properties: { a: { maximum: 1 }, b: { maxLength: 3 } } } }, 'with a condition on a, b'],
  ])('of %j is %s', (rule, summary) => expect(summaryOf(rule)).toBe(summary))
})

describe('the lines of a condition', () => {
  it.each<[PolicyRule['arguments'], readonly Line[]]>([
    [undefined, []],
    [
      { properties: { amount: { type: 'number', minimum: 1, maximum: 5000 } }, required: ['amount'] },
      [
        { name: 'amount', operator: 'least', value: '1' },
        { name: 'amount', operator: 'most', value: '5000' },
      ],
    ],
    [
      {
        required: ['to', 'unit'],
        properties: { unit: { type: 'string', enum: ['EUR', 'USD'] }, to: { type: 'string', pattern: '@a-b\\.com$' } },
      },
      [
        { name: 'unit', operator: 'one', value: 'EUR, USD' },
        { name: 'to', operator: 'ends', value: '@a-b.com' },
      ],
    ],
    [
      { properties: { n: { const: 5 }, text: { const: '5' } }, required: ['n', 'text'] },
      [
        { name: 'n', operator: 'is', value: '5' },
        { name: 'text', operator: 'is', value: '"5"' },
      ],
    ],
    [{ properties: { n: { enum: [1, 'x'] } }, required: ['n'] }, [{ name: 'n', operator: 'one', value: '1, x' }]],
  ])('of %j are %j, and back', (schema, lines) => {
    expect(linesOfSchema(schema)).toEqual(lines)
    const written = schemaOf(lines)
    expect({ ...written, required: undefined }).toEqual({ ...schema, required: undefined })
    expect(new Set(Object(written).required)).toEqual(new Set(Object(schema).required))
  })

  it.each<PolicyRule['arguments']>([
    { properties: { amount: { maximum: 5 } }, required: ['amount'] },
    { properties: { amount: { type: 'number', maximum: 5 } } },
    { title: 'x', properties: {} },
    { required: ['a'] },
    { properties: { to: { type: 'string', pattern: '^(a|b)$' } }, required: ['to'] },
    { properties: { to: { type: 'string', enum: ['a, b'] } }, required: ['to'] },
  ])('do not show %j', (schema) => expect(linesOfSchema(schema)).toBeUndefined())

  it('say what is missing or wrong', () => {
    const problemIn = (line: Line, ...others: Line[]) => problemOf(line, [line, ...others])
    expect(problemIn({ name: ' ', operator: 'is', value: 'x' })).toBe('incomplete')
    expect(problemIn({ name: 'a', operator: 'is', value: '' })).toBe('incomplete')
    expect(problemIn({ name: 'a', operator: 'most', value: 'many' })).toBe('noNumber')
    expect(problemIn({ name: 'a', operator: 'most', value: '5' }, { name: 'a', operator: 'least', value: '2' })).toBeUndefined()
    expect(problemIn({ name: 'a', operator: 'most', value: '5' }, { name: 'a ', operator: 'most', value: '2' })).toBe('twice')
  })
})

describe('the lines of locked arguments', () => {
  it('keep numbers apart from texts, and long ids as they are', () => {
    const lock = { channel: 'C1', limit: 5, text: 'true', ids: ['a', 1], id: '12345678901234567890' }
    const lines = linesOfLock(lock)
    expect(lines.map(({ value }) => value)).toEqual(['C1', '5', '"true"', '["a",1]', '12345678901234567890'])
    expect(lockOf(lines)).toEqual(lock)
    expect(lockOf([])).toBeUndefined()
  })
})

describe('the file of rules', () => {
  it('is read as it is written, also with fields that the builder does not know', () => {
    const rules = [{ result: 'deny' as const, later: { a: 1 } }]
    expect(parseRules(printRules(rules))).toEqual({ rules })
  })

  it.each(['{', '[]', '{"rules": {}}', '{"rules": [{}]}', '{"rules": [{"result": "deny", "apps": "a"}]}'])('refuses %s', (text) => {
    expect(parseRules(text)).toEqual({ problem: expect.stringMatching(/JSON|Must be an object/) })
  })
})
