import { ConfigError, flag, list, need, oneOf, text, url, whole } from '../src/index.ts'

const SECRET = 'hunter2-of-the-test'

describe('the environment readers', () => {
  it.each([
    ['need', () => need({}, 'NAME')],
    ['need, of an empty one', () => need({ NAME: '' }, 'NAME')],
    ['whole, of text', () => whole({ NAME: 'ten' }, 'NAME', 1, 0, 10)],
    ['whole, of a fraction', () => whole({ NAME: '1.5' }, 'NAME', 1, 0, 10)],
    ['whole, of blanks', () => whole({ NAME: '  ' }, 'NAME', 1, 0, 10)],
    ['whole, of hexadecimal digits', () => whole({ NAME: '0x5' }, 'NAME', 1, 0, 10)],
    ['whole, below its bound', () => whole({ NAME: '-1' }, 'NAME', 1, 0, 10)],
    ['whole, above its bound', () => whole({ NAME: '11' }, 'NAME', 1, 0, 10)],
    ['flag', () => flag({ NAME: 'yes' }, 'NAME')],
    ['oneOf', () => oneOf({ NAME: 'third' }, 'NAME', ['first', 'second'])],
    ['url, missing', () => url({}, 'NAME', ['redis:'])],
    ['url, of another scheme', () => url({ NAME: 'http://x' }, 'NAME', ['redis:'])],
    ['url, of text', () => url({ NAME: 'localhost' }, 'NAME', ['redis:'])],
  ])('name the variable that is not valid: %s', (_name, read) => {
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(/^NAME /)
  })

  it.each([`mysql://user:${SECRET}@host/db`, `user:${SECRET}@host`])('never show the value of a URL: %#', (value) => {
    expect(() => url({ NAME: value }, 'NAME', ['postgres:', 'redis:'])).toThrow(
      new ConfigError('NAME must be a URL that begins with postgres:// or redis://'),
    )
  })

  it('list the accepted values', () => {
    expect(() => whole({ NAME: '70000' }, 'NAME', 1, 0, 65_535)).toThrow('NAME must be a whole number from 0 to 65535, not "70000"')
    expect(() => oneOf({ NAME: 'x' }, 'NAME', ['a', 'b'])).toThrow('NAME must be one of a, b, not "x"')
    expect(() => flag({ NAME: '1' }, 'NAME')).toThrow('NAME must be true or false, not "1"')
  })

  it('return the values of variables that are set', () => {
    const env = { WORD: 'word', COUNT: '7', ON: 'true', OFF: 'false', URL: 'redis://h:1', LIST: ' a, b ,,c ' }
    expect(need(env, 'WORD')).toBe('word')
    expect(text(env, 'WORD', 'other')).toBe('word')
    expect(whole(env, 'COUNT', 1, 0, 10)).toBe(7)
    expect(flag(env, 'ON')).toBe(true)
    expect(flag(env, 'OFF')).toBe(false)
    expect(url(env, 'URL', ['redis:'])).toBe('redis://h:1')
    expect(list(env, 'LIST')).toEqual(['a', 'b', 'c'])
    expect(oneOf(env, 'WORD', ['other', 'word'])).toBe('word')
  })

  it.each([{}, { NAME: '' }])('return the default for a variable that is missing or empty: %j', (env) => {
    expect(text(env, 'NAME', 'other')).toBe('other')
    expect(whole(env, 'NAME', 3, 0, 10)).toBe(3)
    expect(flag(env, 'NAME')).toBe(false)
    expect(list(env, 'NAME')).toEqual([])
    expect(oneOf(env, 'NAME', ['first', 'second'])).toBe('first')
  })
})
