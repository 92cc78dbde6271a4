import { makeSession } from '../src/api/session.ts'

/** A session whose service renews when the test says so. */
function openSession() {
  const pending: { resolve: (value: unknown) => void; reject: (err: Error) => void }[] = []
  const clock = { ms: 1_000 }
  const session = makeSession(
    () => new Promise((resolve, reject) => pending.push({ resolve, reject })),
    () => clock.ms,
  )
  return { ...session, pending, clock }
}

describe('the session', () => {
  it('renews the token once for all requests that wait, and again only when it is 30 s old', async () => {
    const { fresh, pending, clock } = openSession()
    const waiting = Promise.all([fresh(), fresh(), fresh()])
    expect(pending).toHaveLength(1)
    pending[0]?.resolve(undefined)
    await waiting
    clock.ms += 29_999
    await fresh()
    expect(pending).toHaveLength(1)
    clock.ms += 1
    const later = fresh()
    expect(pending).toHaveLength(2)
    pending[1]?.resolve(undefined)
    await later
  })

  it('tells all requests that wait why the token was not renewed, and tries again for the next one', async () => {
    const { fresh, pending } = openSession()
    const waiting = Promise.allSettled([fresh(), fresh()])
    pending[0]?.reject(new Error('signed out'))
    expect(await waiting).toEqual([
      { status: 'rejected', reason: new Error('signed out') },
      { status: 'rejected', reason: new Error('signed out') },
    ])
    void fresh()
    expect(pending).toHaveLength(2)
  })

  it('renews a token that the service refused, and none after a sign-in', async () => {
    const { fresh, expire, renewed, pending } = openSession()
    renewed()
    await fresh()
    expect(pending).toHaveLength(0)
    expire()
    void fresh()
    expect(pending).toHaveLength(1)
  })
})
