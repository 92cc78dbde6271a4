import { openShares, type Share, type Shares } from '../src/index.ts'

const user = (userId: string, appKey = 'app-1') => ({ appKey, userId })

/** Takes one unit after the other, as long as there is room, and returns how many. */
function fill(share: Share): number {
  let taken = 0
  while (share.take(1)) taken++
  return taken
}

/** Fills the shares of two users of each of the applications. */
function fillApplications(shares: Shares, ...appKeys: string[]): number {
  return appKeys
    .flatMap((appKey) => [shares.open(user('a', appKey)), shares.open(user('b', appKey))])
    .reduce((sum, each) => sum + fill(each), 0)
}

describe('openShares', () => {
  it('gives one user a quarter and one application a half', () => {
    const shares = openShares(1_200)
    expect(fill(shares.open(user('joe')))).toBe(300)
    expect(fill(shares.open(user('joe')))).toBe(0)
    expect(fill(shares.open(user('ann')))).toBe(225)
    expect(fill(shares.open(user('eve'))) + fill(shares.open(user('bob')))).toBe(75)
    expect(shares.held).toBe(600)
  })

  it.each([1, 2, 3])('has room for another tenant when %i applications have taken all they could', (applications) => {
    const shares = openShares(1_200)
    fillApplications(shares, ...Array.from({ length: applications }, (_, n) => `hostile-${n}`))
    expect(fill(shares.open(user('joe')))).toBeGreaterThanOrEqual(Math.floor(1_200 / 2 ** applications / 4))
  })

  it('counts users with the same User-ID in different applications separately', () => {
    const shares = openShares(1_200)
    expect(fill(shares.open({ appKey: 'a', userId: 'b' }))).toBe(300)
    expect(fill(shares.open({ appKey: 'a2', userId: 'b' }))).toBe(225)
  })

  it('takes back what is given, and everything when a share is closed', () => {
    const shares = openShares(1_200)
    const share = shares.open(user('joe'))
    expect([share.take(301), share.take(300), share.take(1)]).toEqual([false, true, false])
    share.give(10)
    expect([shares.held, share.hasRoom(11), share.hasRoom(10)]).toEqual([290, false, true])
    share.close()
    share.close()
    expect([shares.held, shares.size, share.take(1)]).toEqual([0, 0, false])
  })

  it('takes what is reserved first', () => {
    const shares = openShares(1_200)
    const share = shares.open(user('joe'))
    expect([share.reserve(301), share.reserve(200), shares.held, share.used]).toEqual([false, true, 200, 0])
    expect(shares.open(user('joe')).take(101)).toBe(false)
    expect([share.take(150), shares.held, share.used]).toEqual([true, 200, 150])
    expect([share.take(151), share.take(150), share.used]).toEqual([false, true, 300])
    share.give(10)
    expect(shares.held).toBe(290)
    share.close()
    expect(shares.held).toBe(0)
  })

  it('has no room after more was taken than there was', () => {
    const shares = openShares(1_200)
    const share = shares.open(user('joe'))
    share.force(500)
    expect(shares.open(user('joe')).take(1)).toBe(false)
    expect(shares.open(user('ann')).take(1)).toBe(true)
    share.close()
    expect(shares.held).toBe(1)
  })

  it('serves the waiting requests of a user in order, and users in turn', () => {
    const shares = openShares(1_200)
    const [joe, ann] = [shares.open(user('joe')), shares.open(user('ann'))]
    const [held, more] = [fill(joe), fill(ann)]
    const served: string[] = []
    for (const name of ['joe 1', 'joe 2', 'joe 3', 'ann 1', 'ann 2']) {
      shares.open(user(name.slice(0, 3))).takeLater(1, () => served.push(name))
    }
    expect(served).toEqual([])
    shares.open(user('eve')).close()
    expect(served).toEqual([])
    ann.give(more)
    joe.give(held)
    expect(served).toEqual(['ann 1', 'ann 2', 'joe 1', 'joe 2', 'joe 3'])
  })

  it('serves no request that was closed, and starts at once when there is room', () => {
    const shares = openShares(1_200)
    const first = shares.open(user('joe'))
    const held = fill(first)
    const served: string[] = []
    const [gone, next] = [shares.open(user('joe')), shares.open(user('joe'))]
    gone.takeLater(1, () => served.push('gone'))
    next.takeLater(1, () => served.push('next'))
    shares.open(user('ann')).takeLater(1, () => served.push('ann'))
    expect(served).toEqual(['ann'])
    gone.close()
    first.give(held)
    expect(served).toEqual(['ann', 'next'])
  })

  it('counts what a waiting request took, until its share is closed', () => {
    const shares = openShares(1_200)
    const first = shares.open(user('joe'))
    const held = fill(first)
    const later = shares.open(user('joe'))
    later.takeLater(5, () => {})
    first.give(5)
    expect(shares.held).toBe(held)
    later.close()
    expect(shares.held).toBe(held - 5)
  })

  it('knows what a user and an application hold until their last share is closed', () => {
    const shares = openShares(1_200)
    fill(shares.open(user('joe')))
    shares.open(user('joe')).close()
    expect(shares.open(user('joe')).hasRoom(1)).toBe(false)
    for (const name of ['ann', 'eve', 'bob']) fill(shares.open(user(name)))
    shares.open(user('dan')).close()
    expect(shares.open(user('dan')).hasRoom(1)).toBe(false)
  })
})
