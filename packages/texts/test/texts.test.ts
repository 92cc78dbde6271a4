import { EN, fill, split } from '../src/index.ts'

describe('fill', () => {
  it('puts values in place of names in braces, and throws without a value', () => {
    expect(fill(EN.connect.title, { app: '{app} & Co', application: 'Acme' })).toBe('Connect {app} & Co to Acme')
    expect(() => fill(EN.connect.title, { app: 'Slack' })).toThrow('{application}')
    expect(split('a {b} c')).toEqual(['a ', 'b', ' c'])
  })
})
