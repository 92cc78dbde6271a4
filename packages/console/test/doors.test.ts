import { areaA, areaB, functions, insights, pathOf } from '../src/api/doors.ts'

describe('pathOf', () => {
  test.each([
    [pathOf(functions, '/admin/calls'), '/functions/admin/calls'],
    [pathOf(insights, '/admin/workspaces/:id', { id: 'a b' }), '/insights/admin/workspaces/a%20b'],
    [
      pathOf(areaA('ak_1', 'joe@example.com'), '/functions/:name/get', { name: 'x/y' }),
      '/functions/admin/applications/ak_1/users/joe%40example.com/functions/x%2Fy/get',
    ],
    [
      pathOf(areaB('acme'), '/users', {}, { q: 'a&b', page_size: 5, app: undefined }),
      '/insights/admin/workspaces/acme/users?q=a%26b&page_size=5',
    ],
  ])('returns %s', (path, expected) => {
    expect(path).toBe(expected)
  })

  it.each(['', '.', '..'])('refuses the path variable %j, which would reach another endpoint', (name) => {
    expect(() => pathOf(functions, '/functions/:name/get', { name })).toThrow('name must not be empty, . or ..')
  })
})
