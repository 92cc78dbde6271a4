import { OnwardError } from '../src/api/request.ts'
import { applyLimits } from '../src/pages/users/csv/apply-limits.ts'

const CHUNKS = [['a', 'b'], ['c'], ['d']].map((users) => users.map((user_id) => ({ user_id, allowed_tasks: 1 })))
const refusal = (status: number) => new OnwardError('no', status, 'internal_error')

/** Applies the chunks; the requests fail with the given errors, in order, and then work. */
async function apply(failures: (Error | undefined)[], stopAfter = Number.POSITIVE_INFINITY) {
  const stop = new AbortController()
  const sent: string[] = []
  const waits: boolean[] = []
  let done = 0
  const ended = applyLimits(CHUNKS, {
    signal: stop.signal,
    waitMs: 1,
    async set(limits) {
      sent.push(limits.map(({ user_id }) => user_id).join(''))
      if (sent.length >= stopAfter) stop.abort()
      const failure = failures.shift()
      if (failure !== undefined) throw failure
    },
    onSet(count) {
      done += count
    },
    onWaiting: (waiting) => waits.push(waiting),
  })
  const error = await ended.then(
    () => undefined,
    (err: unknown) => err,
  )
  return { sent, waits, done, error }
}

describe('limits of a file', () => {
  it('are set one request after the other', async () => {
    expect(await apply([])).toEqual({ sent: ['ab', 'c', 'd'], waits: [], done: 4, error: undefined })
  })

  it('wait as long as insights is busy', async () => {
    const busy = Array.from({ length: 10 }, () => refusal(429))
    expect(await apply([undefined, ...busy])).toMatchObject({ done: 4, error: undefined, sent: ['ab', ...busy.map(() => 'c'), 'c', 'd'] })
  })

  it('are sent again a few times when insights does not answer, and then say so', async () => {
    expect(await apply([refusal(0), refusal(503)])).toMatchObject({ done: 4, waits: [true, false, true, false] })
    const error = refusal(503)
    expect(await apply([undefined, error, error, error, error])).toMatchObject({ sent: ['ab', 'c', 'c', 'c', 'c'], done: 2, error })
  })

  it('stop after the request that is on its way, which still counts', async () => {
    expect(await apply([], 2)).toEqual({ sent: ['ab', 'c'], waits: [], done: 3, error: undefined })
    expect(await apply([undefined, refusal(429)], 2)).toMatchObject({ sent: ['ab', 'c'], done: 2, error: undefined })
  })

  it('stop at a refusal that would come again', async () => {
    const error = refusal(404)
    expect(await apply([undefined, error])).toMatchObject({ sent: ['ab', 'c'], done: 2, error })
  })
})
