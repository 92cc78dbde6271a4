import { includes } from '../src/api/roles.ts'

describe('includes', () => {
  it.each([
    ['viewer', 'viewer', true],
    ['viewer', 'developer', false],
    ['developer', 'viewer', true],
    ['owner', 'developer', true],
    ['owner', 'operator', false],
    ['operator', 'owner', true],
    [undefined, 'viewer', false],
  ] as const)('says whether %s may do what needs %s: %s', (has, needed, expected) => {
    expect(includes(has, needed)).toBe(expected)
  })
})
