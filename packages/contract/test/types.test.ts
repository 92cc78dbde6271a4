import type * as contract from '../src/index.ts'
import type { Body, EndpointExample, EndpointShape, ErrorBody, ErrorCode, Params, Query, ResponseOf, TaskConsumed } from '../src/index.ts'

type IsAny<T> = 0 extends 1 & T ? true : false

type Endpoints = {
  [K in keyof typeof contract as (typeof contract)[K] extends EndpointShape ? K : never]: Extract<(typeof contract)[K], EndpointShape>
}
type Parts<E extends EndpointShape> = IsAny<Body<E>> | IsAny<Query<E>> | IsAny<ResponseOf<E>> | IsAny<Params<E>>
/** The endpoints with a lost type: for a schema that is too large, tsc silently returns `any`. */
type Lost = { [K in keyof Endpoints]: true extends Parts<Endpoints[K]> ? K : never }[keyof Endpoints]

/** Endpoints of the two areas that the API reference does not describe in full. */
type Undocumented = {
  [K in keyof Endpoints]: Endpoints[K]['path'] extends `/admin/${string}` | `/embed/${string}`
    ? never
    : Endpoints[K] extends { readonly errors: readonly ErrorCode[]; readonly examples: readonly [EndpointExample, ...EndpointExample[]] }
      ? never
      : K
}[keyof Endpoints]

const use = (..._values: unknown[]): true => true

describe('the types derived from the schemas', () => {
  it('are not `any` for any endpoint', () => {
    const nothingLost: [Lost] extends [never] ? true : Lost = true
    const some: keyof Endpoints = 'getUserTasks'
    // @ts-expect-error this name is no endpoint
    const other: keyof Endpoints = 'errorBody'
    expect(use(nothingLost, some, other)).toBe(true)
  })

  it('show that each endpoint of the two areas has its errors and an example', () => {
    const allDocumented: [Undocumented] extends [never] ? true : Undocumented = true
    expect(use(allDocumented)).toBe(true)
  })

  it('describe a body', () => {
    const right: Body<typeof contract.setUserLimits> = [{ user_id: 'u', allowed_tasks: 1 }]
    // @ts-expect-error not an array
    const notArray: Body<typeof contract.setUserLimits> = { user_id: 'u', allowed_tasks: 1 }
    // @ts-expect-error allowed_tasks is required
    const missing: Body<typeof contract.setUserLimits> = [{ user_id: 'u' }]
    // @ts-expect-error allowed_tasks is a number
    const text: Body<typeof contract.setUserLimits> = [{ user_id: 'u', allowed_tasks: '1' }]
    // @ts-expect-error there are no further fields
    const further: Body<typeof contract.setUserLimits> = [{ user_id: 'u', allowed_tasks: 1, tasks_consumed: 0 }]
    // @ts-expect-error a GET has no body
    const none: Body<typeof contract.getUserTasks> = {}
    expect(use(right, notArray, missing, text, further, none)).toBe(true)
  })

  it('describe a query', () => {
    const right: Query<typeof contract.getUserTasks> = { app_key: 'k' }
    // @ts-expect-error app_key is required
    const missing: Query<typeof contract.getUserTasks> = {}
    // @ts-expect-error not one of the words
    const word: Query<typeof contract.getFunction> = { include: 'all' }
    // @ts-expect-error a boolean after coercion
    const text: Query<typeof contract.listApps> = { page_size: 1, connected_only: 'true' }
    expect(use(right, missing, word, text)).toBe(true)
  })

  it('describe an answer', () => {
    const right: ResponseOf<typeof contract.setDefaultLimit> = { success: 'true' }
    const unsubscribed: ResponseOf<typeof contract.deleteSubscription> = { success: true }
    // @ts-expect-error the text "true", not the boolean
    const boolean: ResponseOf<typeof contract.setDefaultLimit> = { success: true }
    // @ts-expect-error the boolean, not the text
    const word: ResponseOf<typeof contract.deleteSubscription> = { success: 'true' }
    // @ts-expect-error _cursor is required, even if it is null
    const noCursor: ResponseOf<typeof contract.listApps> = { apps: [] }
    // @ts-expect-error an app has more fields
    const half: ResponseOf<typeof contract.listApps> = { apps: [{ name: 'slack' }], _cursor: null }
    expect(use(right, unsubscribed, boolean, word, noCursor, half)).toBe(true)
  })

  it('describe path variables', () => {
    const right: Params<typeof contract.disconnectAccount> = { app_key: 'k', id: '1' }
    const none: Params<typeof contract.listApps> = {}
    // @ts-expect-error there are two
    const missing: Params<typeof contract.disconnectAccount> = { app_key: 'k' }
    // @ts-expect-error it has another name
    const other: Params<typeof contract.getUserTasks> = { user_id: 'u' }
    // @ts-expect-error they are text
    const number: Params<typeof contract.getUserTasks> = { id: 1 }
    expect(use(right, none, missing, other, number)).toBe(true)
  })

  it('describe errors and messages', () => {
    const right: ErrorBody = { error: 'no', error_details: ['a: b'], code: 'not_found', request_id: 'r' }
    // @ts-expect-error not an error code
    const code: ErrorBody = { error: 'no', error_details: [], code: 'oops', request_id: 'r' }
    // @ts-expect-error the user is missing
    const event: TaskConsumed = { id: '1', app_key: 'k', function_name: 'f', occurred_at: 't' }
    expect(use(right, code, event)).toBe(true)
  })
})
