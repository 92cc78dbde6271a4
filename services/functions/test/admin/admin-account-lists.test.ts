import { useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/connect-apps' } })

const PATH = '/admin/applications/app-1/connected-accounts'

describe('GET /admin/applications/:app_key/connected-accounts', () => {
  it('lists the accounts of one user, of one app, or all accounts', async () => {
    const ids = [await onward.user('ann').connect('desk'), await onward.user('ann').connect('crm'), await onward.user('bob').connect('crm')]
    const list = async (query: string) => (await onward.admin('get', `${PATH}${query}`).expect(200)).body.connected_accounts
    expect((await list('?user_id=ann')).map(({ id }: { id: number }) => id)).toEqual([ids[1], ids[0]])
    const account = { id: ids[1], display_name: 'Crm', modified_at: expect.any(String), status: 'active', last_error: null }
    expect(await list('?user_id=ann&app=crm')).toEqual([{ ...account, user_id: 'ann', app: 'crm', created_at: expect.any(String) }])
    for (const app of ['crm', 'CRM']) {
      expect((await list(`?app=${app}`)).map(({ id }: { id: number }) => id)).toEqual([ids[2], ids[1]])
    }
    expect((await list('')).map(({ id }: { id: number }) => id)).toEqual(ids.toReversed())
    expect(await list('?user_id=nobody')).toEqual([])
    await onward.admin('get', '/admin/applications/nobody/connected-accounts').expect(404)
    for (const userId of ['%00', '.', '%2e%2e']) await onward.admin('get', `${PATH}?user_id=${userId}`).expect(400)
  })
})

describe('GET /admin/applications/:app_key/connected-accounts with page_size', () => {
  it('pages through the accounts that fit the filters', async () => {
    const application = await onward.makeApplication('app-pages')
    const path = '/admin/applications/app-pages/connected-accounts'
    const ids: number[] = []
    for (const user of ['ann', 'bob', 'ann', 'ann', 'bob']) ids.unshift(await onward.user(user, application).connect('desk'))
    await onward.db.updateTable('connected_account').set({ status: 'expired' }).where('id', '=', String(ids[1])).execute()
    const read = async (query: string) => {
      const { body } = await onward.admin('get', `${path}?${query}`).expect(200)
      return { ids: body.connected_accounts.map(({ id }: { id: number }) => id), _cursor: body._cursor }
    }
    const seen: number[][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { ids: number[]; _cursor: string | null } = await read(`page_size=2&_cursor=${cursor}`)
      seen.push(page.ids)
      cursor = page._cursor
    }
    expect(seen).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
    expect(await read('')).toEqual({ ids, _cursor: null })
    expect(await read('status=expired&page_size=2')).toEqual({ ids: [ids[1]], _cursor: null })
    expect(await read('status=active&user_id=ann')).toEqual({ ids: [ids[2], ids[4]], _cursor: null })
    for (const query of ['status=broken', 'page_size=0', '_cursor=x']) await onward.admin('get', `${path}?${query}`).expect(400)
  })
})

describe('GET /admin/applications/:app_key/connected-accounts with search', () => {
  it('finds accounts by a part of the user id or the name, and says when they were connected and last used', async () => {
    const application = await onward.makeApplication('app-search')
    const path = '/admin/applications/app-search/connected-accounts'
    const ann = onward.user('ann@example.com', application)
    const [notes, desk] = [await ann.connect('notes'), await ann.connect('desk')]
    await onward.db.updateTable('connected_account').set({ display_name: 'Ünnamed 50%' }).where('id', '=', String(desk)).execute()
    await ann.call('notes-read-notes').expect(200)
    type Item = { readonly id: number; readonly created_at: string; readonly last_used_at?: string | null }
    const find = async (search: string): Promise<Item[]> =>
      (await onward.admin('get', `${path}?search=${encodeURIComponent(search)}&page_size=10`).expect(200)).body.connected_accounts
    expect((await find('ANN@')).map(({ id }) => id)).toEqual([desk, notes])
    expect((await find('named 50%')).map(({ id }) => id)).toEqual([desk])
    expect(await find('nobody')).toEqual([])
    const [unused, used] = await find('ann')
    expect(unused).toMatchObject({ created_at: expect.stringMatching(/Z$/), last_used_at: null })
    expect(Date.parse(used?.last_used_at ?? '')).toBeGreaterThanOrEqual(Date.parse(used?.created_at ?? '') - 1000)
    const { connected_accounts } = (await onward.admin('get', path).expect(200)).body
    expect(connected_accounts[0]).not.toHaveProperty('last_used_at')
  })
})

describe('GET /admin/applications/:app_key/connected-accounts with is_default', () => {
  it('lists the accounts that calls use when they name none, or all others', async () => {
    const application = await onward.makeApplication('app-defaults')
    const path = '/admin/applications/app-defaults/connected-accounts'
    const setUp = async (userId: string, ...states: readonly ('active' | 'expired' | 'preferred' | 'preferred and expired')[]) => {
      for (const state of states) {
        const id = await onward.user(userId, application).connect('desk')
        const changes = {
          status: state.endsWith('expired') ? ('expired' as const) : ('active' as const),
          preferred_at: state.startsWith('preferred') ? new Date() : null,
        }
        await onward.db.updateTable('connected_account').set(changes).where('id', '=', String(id)).execute()
      }
      await onward.user(userId, application).connect('crm')
    }
    await setUp('newest', 'active', 'active')
    await setUp('newest-active', 'active', 'expired')
    await setUp('preferred', 'preferred', 'active')
    await setUp('preferred-expired', 'preferred and expired', 'active', 'expired')
    await setUp('all-expired', 'expired', 'preferred and expired', 'expired')
    const list = async (query: string): Promise<number[]> =>
      (await onward.admin('get', `${path}${query}`).expect(200)).body.connected_accounts.map(({ id }: { id: number }) => id)
    const isDefault = async (id: number): Promise<boolean> =>
      (await onward.admin('get', `/admin/connected-accounts/${id}`).expect(200)).body.is_default
    const all = await list('')
    const states = await Promise.all(all.map(isDefault))
    const defaults = all.filter((_id, at) => states[at])
    expect(defaults).toHaveLength(10)
    expect(await list('?is_default=true')).toEqual(defaults)
    expect(await list('?is_default=false')).toEqual(all.filter((_id, at) => !states[at]))
    await onward.admin('get', `${path}?is_default=maybe`).expect(400)
  })
})
