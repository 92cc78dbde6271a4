import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../numbers.ts'
import type { Rig } from '../rig/open-rig.ts'
import { countRows } from '../rig/postgres-server.ts'
import { APP_KEY, type User } from '../rig/workspace.ts'
import { type Finding, none } from './counts.ts'
import type { Result } from './try-call.ts'

/** Sends one request to a process. */
type Attempt = (place: number, user: User, key: string) => Promise<Result>

/** Calls with an Idempotency-Key. */
export type KeyedCalls = {
  /** Returns whether the next call of a user is to have a key. */
  chosen(user: User): boolean
  /** Calls with a new key until the key has its final response, for at most 15 s. Returns the call's id if the response was 200. */
  call(attempt: Attempt, place: number, user: User): Promise<string | undefined>
  /** Repeats the requests of all keys without a final response. Returns the ids of the calls that are now answered 200. */
  settle(attempt: Attempt): Promise<string[]>
  check(rig: Rig): Promise<Finding[]>
}

type Keyed = {
  readonly key: string
  readonly user: User
  /** The first response with 200. */
  response: Result | undefined
  /** The failure that ended the call. The contract documents that a key keeps it. */
  ended: string | undefined
}

const SHARE = 0.15
/** Shares of the keys that two requests use at once, and that are used again after their response. */
const AT_ONCE = 0.25
const AGAIN = 0.25
const PATIENCE_MS = 15_000
/** A process counts as dead after 30 s, its call attempts are recorded 30 s later, and 10 s. */
const SETTLED_MS = 70_000
const FUNCTION = 'addressbook-create-contact'
/** After these failures, the call may have taken effect and is never sent again. */
const FINAL = ['504 outcome_unknown', '504 upstream_timeout', '502 upstream_invalid']
/** While the response cannot be stored, a key gets this for a few seconds, also after its response. */
const IN_PROGRESS = '409 idempotency_in_progress'
const CONFLICT = '409 idempotency_conflict'

export function openKeyedCalls(chance: Chance): KeyedCalls {
  const calls: Keyed[] = []
  const differing = new Set<string>()
  const forgotten = new Set<string>()
  const conflicts = new Set<string>()
  let replays = 0
  let settleMs = 0

  /** Returns whether the key is in progress. */
  async function ask(keyed: Keyed, attempt: Attempt, place: number): Promise<boolean> {
    const answeredBefore = keyed.response !== undefined
    const result = await attempt(place, keyed.user, keyed.key)
    const { failure = '' } = result
    if (failure === CONFLICT) conflicts.add(keyed.key)
    if (answeredBefore && FINAL.includes(failure)) forgotten.add(keyed.key)
    if (FINAL.includes(failure)) keyed.ended ??= failure
    if (failure !== '') return failure === IN_PROGRESS
    if (answeredBefore) replays++
    keyed.response ??= result
    if (keyed.response.callId !== result.callId || keyed.response.text !== result.text) differing.add(keyed.key)
    return false
  }

  return {
    // A user of another application can be blocked, and then gets 429 until the limit is raised.
    chosen: ({ appKey, call }) => appKey === APP_KEY && call.name.startsWith('addressbook-') && chance.between(0, 1) < SHARE,
    async call(attempt, place, user) {
      const key = `key-${calls.length}`
      const call = { name: FUNCTION, args: { name: key, email: 'ada@example.com' } }
      const keyed: Keyed = { key, user: { ...user, call }, response: undefined, ended: undefined }
      calls.push(keyed)
      const atOnce = chance.between(0, 1) < AT_ONCE
      const again = chance.between(0, 1) < AGAIN
      for (const giveUpAt = performance.now() + PATIENCE_MS; isOpen(keyed) && performance.now() < giveUpAt; ) {
        await Promise.all(atOnce ? [ask(keyed, attempt, place++), ask(keyed, attempt, place++)] : [ask(keyed, attempt, place++)])
        if (isOpen(keyed)) await sleep(50)
      }
      if (again && keyed.response !== undefined) {
        const giveUpAt = performance.now() + PATIENCE_MS
        while (await ask(keyed, attempt, place++)) {
          if (performance.now() > giveUpAt) {
            forgotten.add(key)
            break
          }
          await sleep(100)
        }
      }
      return keyed.response?.callId
    },
    async settle(attempt) {
      const from = performance.now()
      const open = calls.filter(isOpen)
      for (let place = 0; open.some(isOpen) && performance.now() - from < SETTLED_MS; place++) {
        await Promise.all(open.filter(isOpen).map((keyed) => ask(keyed, attempt, place)))
        await sleep(100)
      }
      settleMs = performance.now() - from
      return open.flatMap(({ response }) => (response === undefined ? [] : [response.callId]))
    },
    async check(rig) {
      const requests = new Map((await rig.thirdPartyLog()).contacts)
      const logged = await countRows(rig.functionsDb, `call_log where function_name = '${FUNCTION}' and outcome <> 'unreachable'`)
      const answered = calls.filter(({ response }) => response !== undefined)
      const ended = calls.filter((each) => each.response === undefined && each.ended !== undefined)
      const figures = `${calls.length}: ${answered.length} answered 200, ${ended.length} lost, ${replays} repeated after the answer`
      return [
        { what: 'Idempotency-Keys', found: figures, holds: answered.length > 0 && replays > 0 },
        none('keys whose request the third party got twice', [...requests.values()].filter((times) => times > 1).length),
        none('keys answered 200 that the third party did not get', answered.filter(({ key }) => !requests.has(key)).length),
        none('keys with two different answers', differing.size),
        none('keys whose answer was forgotten', forgotten.size),
        none('keys refused as used with another request', conflicts.size),
        none(`keys without a final answer after the run; settled in ${(settleMs / 1_000).toFixed(1)} s`, calls.filter(isOpen).length),
        {
          what: 'tasks with a key beyond the requests that the third party got (attempts of killed processes)',
          found: logged - requests.size,
          holds: logged >= requests.size,
        },
      ]
    },
  }
}

function isOpen({ response, ended }: Keyed): boolean {
  return response === undefined && ended === undefined
}
