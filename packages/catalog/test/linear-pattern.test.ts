import fc from 'fast-check'
import { isLinearPattern, linearPattern } from '../src/values/linear-pattern.ts'

/** Parts of patterns that JavaScript and RE2 both support. */
const part = fc.constantFrom('a', '[a-c]', '[^b]', '\\d', '\\w', '\\.', '(?:ab|b)', '(c)', '\\u00e9', '\\p{Lu}', '.', '\\/', '\\bx')
const repeat = fc.constantFrom('', '?', '*', '+', '{2}', '{1,3}', '*?')
const pattern = fc
  .tuple(fc.constantFrom('', '^'), fc.array(fc.tuple(part, repeat), { minLength: 1, maxLength: 5 }), fc.constantFrom('', '$'))
  .map(([start, parts, end]) => start + parts.flat().join('') + end)
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'x', '1', '.', '/', 'é', 'E', ' ', '\u{1f600}'), maxLength: 12 })

describe('linearPattern', () => {
  it('matches the same texts as JavaScript does', () => {
    fc.assert(
      fc.property(pattern, text, (source, given) => {
        expect([source, given, linearPattern(source).test(given)]).toEqual([source, given, new RegExp(source, 'u').test(given)])
      }),
      { numRuns: 2_000 },
    )
  })

  it('does not match a text that is too long for the size of the pattern', () => {
    expect(linearPattern('^a+$').test('a'.repeat(1_000_000))).toBe(true)
    expect(linearPattern('^(?:a{500}){0,1}a*$').test('a'.repeat(1_000_000))).toBe(false)
  })

  it.each([
    '(?=a)',
    '(?<!a)b',
    '(a)\\1',
    '(?<x>a)\\k<x>',
    '(?:a{9999}){9999}b',
    '((a{30}){30}){30}',
    '\\-',
    '(',
    '(?:a{900}){1}b{900}c{900}',
  ])('refuses %s', (source) => {
    expect(isLinearPattern(source)).toBe(false)
    expect(() => linearPattern(source)).toThrow()
  })
})
