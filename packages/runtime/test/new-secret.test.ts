import { crc32 } from 'node:zlib'
import { newSecret } from '@onward/runtime'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const numberOf = (text: string) => [...text].reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0)

describe('newSecret', () => {
  it('makes different secrets of the form in SECURITY.md, which end with a checksum of the rest', () => {
    const secrets = Array.from({ length: 200 }, () => newSecret('sk'))
    expect(new Set(secrets).size).toBe(200)
    for (const secret of secrets) {
      expect(secret).toMatch(/^onw_sk_[A-Za-z0-9]{49}$/)
      expect(numberOf(secret.slice(-6))).toBe(crc32(secret.slice(0, -6)))
    }
  })
})
