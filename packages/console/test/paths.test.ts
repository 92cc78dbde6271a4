import { pathTo, readPath } from '../src/shell/paths.ts'

describe('the addresses of pages', () => {
  it.each([
    [{ page: 'overview' }, '/w/acme', []],
    [{ page: 'calls' }, '/w/acme/calls', []],
    [{ page: 'users', path: `${encodeURIComponent('a/b?c#d%')}/usage` }, '/w/acme/users/a%2Fb%3Fc%23d%25/usage', ['a/b?c#d%', 'usage']],
    [{ page: 'system', path: 'quarantine' }, '/system/quarantine', ['quarantine']],
  ])('writes and reads %j', (address, expected, rest) => {
    const path = pathTo(address, 'acme')
    expect(path).toBe(expected)
    expect(readPath(`${path}?app_key=ak_1#x`)).toEqual({ page: address.page, rest })
  })

  it('leaves a part that is not encoded correctly as it is', () => {
    expect(readPath('/w/acme/users/%zz')).toEqual({ page: 'users', rest: ['%zz'] })
  })

  it('has no page for the root', () => {
    expect(readPath('/').page).toBe('')
  })
})
