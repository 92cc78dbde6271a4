import { eventually } from '@onward/testbed'
import type { Request, Response } from 'express'
import { addressOf, openLog, openRateLimits } from '../src/index.ts'

describe('addressOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::7%eth0', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['203.0.113.7:4711', '203.0.113.7:4711'],
    [undefined, ''],
  ])('counts %s as %s', (ip, address) => {
    expect(addressOf({ ip } as Request)).toBe(address)
  })
})

describe('openRateLimits', () => {
  const limits = openRateLimits({ queueUrl: 'postgres:', queuePrefix: '', refused: { inc() {} }, log: openLog('test', 'silent') })
  afterAll(() => limits.close())

  it('counts at most 50,000 users, and forgets none of them because of other addresses', async () => {
    const count = (key: string) => limits.count({ setHeader() {} } as unknown as Response, [{ name: 'user', key, quota: 1 }])
    await eventually(() => {
      expect(() => [count('joe'), count('joe')]).toThrow('the user may send 1 requests a minute')
      for (let n = 0; n < 50_000; n++) limits.wrongCredentials.count(`address-${n}`)
      expect(() => count('joe')).toThrow('the user may send 1 requests a minute')
    })
    for (let n = 0; n < 50_000; n++) count(`user-${n}-of-${Math.random()}`)
    count('joe')
  })
})
