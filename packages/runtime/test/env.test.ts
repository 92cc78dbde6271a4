import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, flag, list, need, oneOf, readSecretFiles, readSettings, text, url, whole } from '../src/index.ts'

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

describe('readSecretFiles', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onward-secrets-'))
    await writeFile(join(folder, 'token'), `${SECRET}\n`)
  })
  afterAll(async () => await rm(folder, { recursive: true }))

  it('takes a secret from a file, without the line break at its end', () => {
    const env = { LOG_LEVEL: 'info', ADMIN_TOKEN: '', ADMIN_TOKEN_FILE: join(folder, 'token') }
    expect(readSecretFiles(env)).toEqual({ ...env, ADMIN_TOKEN: SECRET })
  })

  it('refuses a secret that is set twice, and a file that cannot be read', () => {
    const twice = { ADMIN_TOKEN: SECRET, ADMIN_TOKEN_FILE: join(folder, 'token') }
    expect(() => readSecretFiles(twice)).toThrow(new ConfigError('ADMIN_TOKEN and ADMIN_TOKEN_FILE are both set; remove one'))
    const missing = { SEALING_KEYS_FILE: join(folder, 'none') }
    expect(() => readSecretFiles(missing)).toThrow(new ConfigError(`SEALING_KEYS_FILE: ${join(folder, 'none')} cannot be read (ENOENT)`))
  })
})

describe('readSettings', () => {
  it('names variables that are probably misspelt settings', () => {
    const env = { TASK_BATCH_MAX: '5', CALL_TIMOUT_MS: '100', CALL_TIMEOUT_MS_FILE: 'x', PATH: '/bin', OTHER_NAME: '1' }
    const read = (each: typeof env) => whole(each, 'TASK_BATCH_MAX', 1, 1, 500) + whole(each, 'CALL_TIMEOUT_MS', 10, 1, 500)
    expect(readSettings(env, (each) => read(each as typeof env))).toEqual({
      settings: 15,
      misspelt: ['CALL_TIMOUT_MS is set, but it is not a setting; did you mean CALL_TIMEOUT_MS?'],
    })
  })
})
