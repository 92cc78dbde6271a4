import { callFunction, type EndpointShape, getUserTasks, listApps, setUserLimits } from '@onward/contract'
import { type Input, type RouteOf, routesOf, STREAMED } from '../src/index.ts'

type Context = { readonly name: string }
type Caller = { readonly userId: string }
const route: RouteOf<Context, Caller> = routesOf()

type IsAny<T> = 0 extends 1 & T ? true : false
/** Does not compile for `any`, which would make all checks below pass. */
function known<T>(value: IsAny<T> extends true ? never : T): T {
  return value as T
}

const status = { user_id: 'u', current_limit: 1, limit_period: '30', tasks_consumed: 0, tasks_remaining: 1, limit_reset_after: 30 }

describe('the types of route', () => {
  it('accept answers that match the schema', () => {
    const routes = () => [
      route(getUserTasks, async () => status),
      route(getUserTasks, async () => STREAMED),
      route(setUserLimits, async () => ({ success: 'true' as const })),
      route(listApps, async () => ({ apps: [], _cursor: null })),
      route(callFunction, async () => ({ network_code: 200, output: { any: 'thing' } })),
    ]
    expect(routes()).toHaveLength(5)
  })

  it('reject answers that do not match the schema', () => {
    const routes = () => [
      // @ts-expect-error nothing is answered
      route(getUserTasks, async () => {}),
      // @ts-expect-error a field is missing
      route(getUserTasks, async () => ({ user_id: 'u' })),
      // @ts-expect-error a field has another type
      route(getUserTasks, async () => ({ ...status, current_limit: '1' })),
      // @ts-expect-error success is the text "true" here
      route(setUserLimits, async () => ({ success: true as const })),
      // @ts-expect-error the cursor is missing
      route(listApps, async () => ({ apps: [] })),
      // @ts-expect-error an app has more fields than that
      route(listApps, async () => ({ apps: [{ name: 'slack' }], _cursor: null })),
      // @ts-expect-error not a promise
      route(getUserTasks, () => status),
    ]
    expect(routes()).toHaveLength(7)
  })

  it('derive the types of the input from the schemas', () => {
    const routes = () => [
      route(getUserTasks, async (ctx, { params, query, body, caller }) => {
        known<string>(known<typeof ctx.name>(ctx.name))
        known<string>(known<typeof params.id>(params.id))
        known<string>(known<typeof query.app_key>(query.app_key))
        known<string>(known<typeof caller.userId>(caller.userId))
        known<undefined>(known<typeof body>(body))
        // @ts-expect-error the path has no such variable
        void params.user_id
        // @ts-expect-error the query has no such parameter that is a number
        known<number>(query.app_key)
        // @ts-expect-error the caller has no such field
        void caller.appKey
        return status
      }),
      route(setUserLimits, async (_ctx, { body }) => {
        for (const { user_id, allowed_tasks } of body) {
          known<string>(known<typeof user_id>(user_id))
          known<number>(known<typeof allowed_tasks>(allowed_tasks))
        }
        // @ts-expect-error an item has no such field
        void body[0]?.tasks_consumed
        // @ts-expect-error there may be no first item
        void body[0].user_id
        return { success: 'true' } as const
      }),
    ]
    expect(routes).toBeInstanceOf(Function)
  })

  it('are not lost where the endpoint is any', () => {
    const unknownResponse = (input: Input<EndpointShape, Caller, unknown>) => {
      known<unknown>(known<typeof input.query>(input.query))
      // @ts-expect-error nothing is known of the query of an endpoint that is not known
      void input.query.app_key
    }
    expect(unknownResponse).toBeInstanceOf(Function)
  })
})
