import { callFunction, getUserTasks, listApps, putApplication, readCalls, rotateSecret, setUserLimits } from '@onward/contract'
import { adminClient, send } from '../src/index.ts'

const admin = adminClient({ url: 'http://127.0.0.1:1', token: 't' })

describe('the types of send', () => {
  it('allow omitting a value with a default, and an input without required parts', () => {
    const allowed = () => [
      send(admin, readCalls),
      send(admin, listApps, { query: { page_size: 3, search: undefined }, body: { search: 'x' } }),
      send(admin, rotateSecret, { params: { app_key: 'x' } }),
      send(admin, rotateSecret, { params: { app_key: 'x' }, body: {} }),
      send(admin, callFunction, { params: { function_name: 'x' }, body: { text: 'hi', _cursor: 3 } }),
      send(admin, setUserLimits, { query: { app_key: 'k' }, body: [{ user_id: 'u', allowed_tasks: 3 }] }),
    ]
    expect(allowed).toBeInstanceOf(Function)
  })

  it('reject what the schemas do not allow', () => {
    const refused = () => [
      // @ts-expect-error not an outcome
      send(admin, readCalls, { query: { outcome: 'lost' } }),
      // @ts-expect-error the endpoint has no body
      send(admin, readCalls, { body: {} }),
      // @ts-expect-error the path variable is missing
      send(admin, putApplication, { body: { workspace_id: 'w', name: 'n' } }),
      // @ts-expect-error name is required
      send(admin, putApplication, { params: { app_key: 'x' }, body: { workspace_id: 'w' } }),
      // @ts-expect-error app_key is required
      send(admin, getUserTasks, { params: { id: 'u' } }),
      // @ts-expect-error the input is missing
      send(admin, getUserTasks),
      // @ts-expect-error allowed_tasks is required
      send(admin, setUserLimits, { query: { app_key: 'k' }, body: [{ user_id: 'u' }] }),
    ]
    expect(refused).toBeInstanceOf(Function)
  })

  it('derive the type of the answer', () => {
    const names = async () => (await send(admin, listApps)).apps.map((app) => app.name satisfies string)
    expect(names).toBeInstanceOf(Function)
  })
})
