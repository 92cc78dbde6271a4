import { LIMIT_QUEUE, type LimitState, type LimitStatesJob, limitStatesJob } from '@onward/contract'
import { compileCheck, openLog, openQueues, type Queues } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { type Insights, openInsights, type Partner } from './insights.ts'

const check = compileCheck(limitStatesJob, 'strict')

/**
 * The service, an application that blocks for each test, and what functions is told, for the tests of a file. What is told again counts
 * once, as for functions, unless the tests look at `repeats`.
 */
export function useLimitStates({ repeats = false } = {}) {
  let insights: Insights
  let queues: Queues
  let partner: Partner
  let held = Promise.resolve()
  const received: LimitState[] = []

  beforeAll(async () => {
    insights = await openInsights()
    queues = await openQueues(insights.config.queueUrl, insights.config.queuePrefix, openLog('test', 'silent'))
    queues.worker<LimitStatesJob>(
      LIMIT_QUEUE,
      async ({ data }) => {
        await held
        expect(check(data)).toEqual([])
        received.push(...data.states)
      },
      1,
    )
  })
  beforeEach(async () => {
    partner = await insights.partner()
    await onLimit('block')
  })
  afterAll(async () => {
    await queues.close()
    await insights.close()
  })

  const onLimit = (on_limit: string) =>
    insights.admin.put(`/admin/applications/${partner.appKey}`, { workspace_id: partner.workspaceId, on_limit }).expect(200)
  function ofPartner(userId: string): LimitState[] {
    const states = received.filter((state) => state.app_key === partner.appKey && state.user_id === userId)
    return repeats ? states : states.filter(({ seq }, i) => states.findIndex((state) => state.seq === seq) === i)
  }

  /** What functions was told of a user, once it was told so often. */
  async function told(userId: string, times: number): Promise<(string | null)[]> {
    await eventually(() => expect(ofPartner(userId).length).toBeGreaterThanOrEqual(times))
    const states = ofPartner(userId)
    expect(states.map(({ seq }) => seq)).toEqual(states.map(({ seq }) => seq).sort((a, b) => a - b))
    return states.map((state) => state.blocked_until)
  }

  return {
    get insights() {
      return insights
    },
    get partner() {
      return partner
    },
    get queues() {
      return queues
    },
    onLimit,
    setLimit: (user_id: string, allowed_tasks: number) => partner.setLimits([{ user_id, allowed_tasks }]).expect(200),
    ofPartner,
    told,
    /** Functions takes nothing until the given promise resolves. */
    hold(until: Promise<void>): void {
      held = until
    },
  }
}
