import { useFunctions } from '../support/support.ts'

const onward = useFunctions()

type Save = {
  readonly path: string
  /** A body that stores another value for each `n`, and the same value as `if_unchanged` has it. */
  readonly bodyOf: (n: number) => object
  readonly valuesOf: (n: number) => object
  readonly read: () => Promise<object>
  readonly name: string
}

const openid = (n: number) => ({ issuer: 'http://127.0.0.1:9', client_id: `client-${n}`, claim: 'sub' })
const read = async (path: string) => (await onward.admin('get', path).expect(200)).body

const SAVES: readonly (readonly [string, Save])[] = [
  [
    'the rules of an application',
    {
      path: '/admin/applications/app-1/policy',
      bodyOf: (n) => ({ rules: [{ result: 'ask', message: `message ${n}` }] }),
      valuesOf: (n) => ({ rules: [{ message: `message ${n}`, result: 'ask' }] }),
      read: () => read('/admin/applications/app-1/policy'),
      name: 'rules',
    },
  ],
  [
    'the settings of an application',
    {
      path: '/admin/applications/app-1',
      bodyOf: (n) => ({ workspace_id: 'workspace-1', name: 'Shop', connect_pages: { name: `Shop ${n}`, theme: 'dark' } }),
      valuesOf: (n) => ({ name: 'Shop', connect_pages: { theme: 'dark', name: `Shop ${n}` } }),
      read: async () => (await read('/admin/applications')).applications.find(({ app_key }: { app_key: string }) => app_key === 'app-1'),
      name: 'connect_pages',
    },
  ],
  [
    'how the users of an application sign in',
    {
      path: '/admin/applications/app-1/mcp-sign-in',
      bodyOf: (n) => ({ openid: { ...openid(n), client_secret: 'secret' } }),
      valuesOf: (n) => ({ hand_off_url: null, openid: openid(n) }),
      read: () => read('/admin/applications/app-1/mcp-sign-in'),
      name: 'openid',
    },
  ],
]

describe.each(SAVES)('a request that replaces %s', (_what, { path, bodyOf, valuesOf, read: stored, name }) => {
  const put = (body: object) => onward.admin('put', path, body)

  it('is refused, and changes nothing, if another value is stored than the caller has read', async () => {
    await put(bodyOf(1)).expect(200)
    await put({ ...bodyOf(2), if_unchanged: valuesOf(1) }).expect(200)
    const { body } = await put({ ...bodyOf(3), if_unchanged: valuesOf(1) }).expect(409)
    expect(body).toMatchObject({ code: 'changed_since_read', error_details: [`${name}: has changed`] })
    expect(await stored()).toMatchObject(valuesOf(2))
    await put(bodyOf(3)).expect(200)
    expect(await stored()).toMatchObject(valuesOf(3))
  })

  it('is executed once if several arrive together with the value that each has read', async () => {
    await put(bodyOf(0)).expect(200)
    const sent = [1, 2, 3, 4].map((n) => put({ ...bodyOf(n), if_unchanged: valuesOf(0) }))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 409, 409, 409])
  })
})

it('refuses a value in if_unchanged that the request cannot replace', async () => {
  const { body } = await onward.admin('put', '/admin/applications/app-1/policy', { rules: [], if_unchanged: { name: 'Shop' } }).expect(400)
  expect(body.code).toBe('invalid_parameters')
})
