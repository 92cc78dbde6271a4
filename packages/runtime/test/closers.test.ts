import { type Closers, openAll } from '../src/index.ts'

/** Opens parts with these names. Each adds its name to `closed` when it is closed; the part `broken` fails then. */
async function openParts(names: readonly string[], closed: string[], then?: (closers: Closers) => never): Promise<Closers> {
  return await openAll(async (closers) => {
    for (const name of names) {
      closers.add(name, async (part) => {
        closed.push(part)
        if (part === 'broken') throw new Error('broken cannot be closed')
      })
    }
    return then?.(closers) ?? closers
  })
}

describe('parts that are opened together', () => {
  it('are closed in reverse order, once', async () => {
    const closed: string[] = []
    const closers = await openParts(['database', 'queue', 'client'], closed)
    await closers.close()
    await closers.close()
    expect(closed).toEqual(['client', 'queue', 'database'])
  })

  it('are closed when a later part fails to open', async () => {
    const closed: string[] = []
    const failing = openParts(['database', 'broken', 'queue'], closed, () => {
      throw new Error('migrations are missing')
    })
    await expect(failing).rejects.toThrow('migrations are missing')
    expect(closed).toEqual(['queue', 'broken', 'database'])
  })

  it('are all closed when one of them cannot be closed, and its error is thrown', async () => {
    const closed: string[] = []
    const closers = await openParts(['database', 'broken', 'queue'], closed)
    await expect(closers.close()).rejects.toThrow('broken cannot be closed')
    expect(closed).toEqual(['queue', 'broken', 'database'])
  })
})
