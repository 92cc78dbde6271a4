import { inSlices, type Steps } from '../src/in-slices.ts'
import { predictArguments } from '../src/index.ts'
import { fillableOf } from './support.ts'

/** Runs computations together. Returns a log: the index of a computation for each of its steps, and a dot for each turn of the event loop. */
async function record(computations: readonly ((step: () => void) => Steps<void>)[]): Promise<string> {
  let log = ''
  const watch = () => {
    log += '.'
    next = setImmediate(watch)
  }
  let next = setImmediate(watch)
  const all = computations.map((work, at) =>
    inSlices(
      work(() => {
        log += at
      }),
    ),
  )
  await Promise.all(all)
  clearImmediate(next)
  return log
}

/** Returns a computation of `count` steps of `ms` milliseconds each. */
function computation(count: number, ms: number): (step: () => void) => Steps<void> {
  return function* (step) {
    for (let n = 0; n < count; n++) {
      step()
      const begun = performance.now()
      while (performance.now() - begun < ms);
      yield
    }
  }
}

describe('inSlices', () => {
  it('gives the event loop a turn between short computations that begin together', async () => {
    expect(await record(Array.from({ length: 5 }, () => computation(1, 0)))).toMatch(/^\.*0\.+1\.+2\.+3\.+4\.*$/)
  })

  it('lets long computations take turns', async () => {
    expect(await record([computation(3, 6), computation(3, 6)])).toMatch(/^\.*0\.+1\.+0\.+1\.+0\.+1[.]*$/)
  })

  it('rejects with the error of a computation, and runs the others', async () => {
    const failing = inSlices(
      (function* (): Steps<void> {
        yield
        throw new Error('it failed')
      })(),
    )
    const other = inSlices(computation(1, 0)(() => {}))
    await expect(failing).rejects.toThrow('it failed')
    await expect(other).resolves.toBeUndefined()
  })
})

describe('predictArguments', () => {
  const text = { type: 'string', description: 'Text.', maxLength: 10 } as const
  const fillable = fillableOf({
    title: 'Save the thing',
    description: '',
    parameters: { type: 'object', properties: { title: text, body: text, due_date: text }, required: ['title'] },
  })
  const input = { now: new Date('2026-11-23T09:00:00Z'), timeZone: 'UTC' }

  function stepsOf(prompt: string | null, variables: Record<string, unknown> | null): number {
    const work = predictArguments(fillable, { ...input, prompt, variables }, {})
    let steps = 0
    while (work.next().done !== true) steps++
    return steps
  }

  it('yields for each piece of a prompt and each parameter', () => {
    expect(stepsOf('June 3, 5 rows, "a", '.repeat(400), null)).toBeGreaterThan(200)
  })

  it('yields twice for each variable, and once more for each one that could be the value of a parameter', () => {
    const things = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`thing_${n}`, { title: 'a text that is too long' }]))
    expect(stepsOf(null, things)).toBeGreaterThan(2 * 300 + 150)
  })
})
