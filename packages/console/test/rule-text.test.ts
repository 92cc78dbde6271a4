import type { PolicyRule } from '@onward/contract'
import { parseRules, printRules, summaryOf, withPreset } from '../src/pages/rules/rule-text.ts'

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
    [{ result: 'allow', arguments: { properties: { to: { pattern: '^(a|b)$' } } } }, 'with a condition on to'],
    [{ result: 'allow', arguments: { properties: { a: { maximum: 1 }, b: { maxLength: 3 } } } }, 'with a condition on a, b'],
  ])('of %j is %s', (rule, summary) => expect(summaryOf(rule)).toBe(summary))
})

describe('a preset', () => {
  it('adds its condition to the others, and requires the argument', () => {
    const first = withPreset(undefined, 'amount', 'most', '5000')
    expect(first).toEqual({ properties: { amount: { type: 'number', maximum: 5000 } }, required: ['amount'] })
    expect(withPreset(first as never, 'amount', 'least', '1')).toEqual({
      properties: { amount: { type: 'number', maximum: 5000, minimum: 1 } },
      required: ['amount'],
    })
    expect(withPreset({ title: 'x' }, 'to', 'one', 'a, b,')).toEqual({
      title: 'x',
      properties: { to: { type: 'string', enum: ['a', 'b'] } },
      required: ['to'],
    })
  })

  it('matches the end of a text literally', () => {
    const schema = withPreset(undefined, 'to', 'ends', '@exa-mple.com') as { properties: { to: { pattern: string } } }
    const pattern = new RegExp(schema.properties.to.pattern, 'u')
    expect(['ada@exa-mple.com', 'ada@exa-mplexcom', 'ada@exa-mple.com.evil'].map((to) => pattern.test(to))).toEqual([true, false, false])
  })

  it('needs a number to compare with', () => expect(withPreset(undefined, 'amount', 'most', 'many')).toBeUndefined())
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
