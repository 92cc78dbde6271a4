import { ConfigError, openSealer, readSealingKeys, sealedTag } from '../src/index.ts'

const OLD = { id: 'old', key: Buffer.alloc(32, 1) }
const NEW = { id: 'new', key: Buffer.alloc(32, 2) }
const base64 = (bytes: number, fill = 7) => Buffer.alloc(bytes, fill).toString('base64')

describe('openSealer', () => {
  it.each(['', 'secret', 'naïve 🗝', 'x'.repeat(100_000)])('opens what it sealed: %#', (plain) => {
    const { seal, open } = openSealer([NEW])
    expect(open(seal(plain, 'accounts/1'), 'accounts/1')).toBe(plain)
  })

  it('seals the same secret differently each time, and never in the clear', () => {
    const { seal } = openSealer([NEW])
    const sealed = seal('a secret to look for', 'accounts/1')
    expect(sealed.equals(seal('a secret to look for', 'accounts/1'))).toBe(false)
    expect(sealed.includes('a secret to look for')).toBe(false)
  })

  it('does not open a value that was moved to another row', () => {
    const { seal, open } = openSealer([NEW])
    expect(() => open(seal('secret', 'accounts/1'), 'accounts/2')).toThrow()
  })

  it('does not open a value with a changed, missing or added byte', () => {
    const { seal, open } = openSealer([NEW])
    const sealed = seal('secret', 'accounts/1')
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(i) ^ 1, i)
      expect(() => open(changed, 'accounts/1')).toThrow()
      expect(() => open(sealed.subarray(0, i), 'accounts/1')).toThrow()
    }
    expect(() => open(Buffer.concat([sealed, Buffer.of(0)]), 'accounts/1')).toThrow()
  })

  it('does not open a value whose wrapped key was taken from another row', () => {
    const { seal, open } = openSealer([NEW])
    const [one, other] = [seal('secret', 'accounts/1'), seal('other', 'accounts/2')]
    const head = 1 + 'new'.length + 60
    expect(() => open(Buffer.concat([other.subarray(0, head), one.subarray(head)]), 'accounts/1')).toThrow()
  })

  it('seals with the first key and opens with all of them, so that a key can be replaced in steps', () => {
    const before = openSealer([OLD]).seal('secret', 'row')
    const during = openSealer([NEW, OLD])
    expect(during.open(before, 'row')).toBe('secret')
    expect(openSealer([NEW]).open(during.seal('secret', 'row'), 'row')).toBe('secret')
    expect(openSealer([OLD, NEW]).open(during.seal('secret', 'row'), 'row')).toBe('secret')
  })

  it('wraps the data key of a value with the first key, and keeps the tag of the value', () => {
    const before = openSealer([OLD]).seal('secret', 'row')
    const during = openSealer([NEW, OLD])
    const after = during.rewrap(before, 'row')
    expect(after.subarray(0, during.head.length)).toEqual(during.head)
    expect(sealedTag(after)).toEqual(sealedTag(before))
    expect(openSealer([NEW]).open(after, 'row')).toBe('secret')
    expect(() => during.rewrap(before, 'another row')).toThrow()
  })

  it('names a missing key without the secret', () => {
    const sealed = openSealer([OLD]).seal('a secret to look for', 'row')
    expect(() => openSealer([NEW]).open(sealed, 'row')).toThrow('a stored secret was sealed with key "old", which is not in SEALING_KEYS')
  })

  it('does not open a value with another key of the same id', () => {
    const sealed = openSealer([OLD]).seal('secret', 'row')
    expect(() => openSealer([{ id: 'old', key: NEW.key }]).open(sealed, 'row')).toThrow()
  })

  it('throws without a key', () => {
    expect(() => openSealer([])).toThrow(ConfigError)
  })
})

describe('readSealingKeys', () => {
  it('returns the keys in their order', () => {
    expect(readSealingKeys(`b:${base64(32, 2)}, a:${base64(32, 1)}`)).toEqual([
      { id: 'b', key: Buffer.alloc(32, 2) },
      { id: 'a', key: Buffer.alloc(32, 1) },
    ])
  })

  it.each([
    ['nothing', ''],
    ['a key without id', base64(32)],
    ['an empty id', `:${base64(32)}`],
    ['an id that is no word', `a b:${base64(32)}`],
    ['an id that is too long', `${'a'.repeat(33)}:${base64(32)}`],
    ['a key that is too short', `a:${base64(31)}`],
    ['a key that is too long', `a:${base64(33)}`],
    ['a key in hexadecimal digits', `a:${Buffer.alloc(32, 7).toString('hex')}`],
    ['something after the key', `a:${base64(32)}:b`],
    ['a comma at the end', `a:${base64(32)},`],
    ['the same id twice', `a:${base64(32, 1)},a:${base64(32, 2)}`],
  ])('throws for %s and names the variable without its value', (_name, raw) => {
    expect(() => readSealingKeys(raw)).toThrow(ConfigError)
    expect(() => readSealingKeys(raw)).toThrow(/^SEALING_KEYS must hold /)
    if (raw !== '') expect(() => readSealingKeys(raw)).not.toThrow(raw)
  })
})
