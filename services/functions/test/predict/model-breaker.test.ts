import { openBreaker } from '../../src/predict/model/breaker.ts'
import { ModelError } from '../../src/predict/model/model-error.ts'

let now: number
let opened: string[]
let asked: number
let breaker: ReturnType<typeof openBreaker>

beforeEach(() => {
  now = 1_000_000
  opened = []
  asked = 0
  breaker = openBreaker(
    () => now,
    (failure) => opened.push(failure),
  )
})

async function ask(err?: Error): Promise<string> {
  const work = async () => {
    asked++
    if (err !== undefined) throw err
    return 'ok'
  }
  return await breaker(work).catch((failed: Error) => (failed instanceof ModelError ? failed.failure : failed.message))
}

const down = new ModelError('unreachable')

async function failThrice(): Promise<void> {
  for (let time = 0; time < 3; time++) await ask(down)
}

describe('the breaker of the model server', () => {
  it('sends one probe after a pause, and all requests again when the probe succeeds', async () => {
    await failThrice()
    expect(await ask()).toBe('not_sent')
    expect(opened).toEqual(['unreachable'])
    now += 30_000
    expect(await ask()).toBe('ok')
    expect(await ask()).toBe('ok')
    expect(asked).toBe(5)
  })

  it('stays open when the probe fails', async () => {
    await failThrice()
    now += 30_000
    expect(await ask(down)).toBe('unreachable')
    expect(await ask()).toBe('not_sent')
    now += 30_000
    expect(await ask()).toBe('ok')
  })

  it('sends only one probe at a time', async () => {
    await failThrice()
    now += 30_000
    const trying = breaker(() => new Promise<void>((resolve) => setTimeout(resolve, 20)))
    expect(await ask()).toBe('not_sent')
    await trying
    expect(await ask()).toBe('ok')
  })

  it('resets its count when a request succeeds', async () => {
    for (let time = 0; time < 3; time++) {
      await ask(down)
      await ask(down)
      await ask()
    }
    expect(asked).toBe(9)
  })

  it.each([
    new ModelError('canceled'),
    new ModelError('refused', 400),
    new ModelError('refused', 413),
    new ModelError('refused', 422),
    new ModelError('busy', 429),
    new ModelError('cut_off'),
    new ModelError('no_choice'),
    new Error('a bug'),
  ])('ignores %s', async (err) => {
    for (let time = 0; time < 5; time++) await ask(err)
    expect(asked).toBe(5)
    expect(opened).toEqual([])
  })

  it.each([new ModelError('timed_out'), new ModelError('invalid'), new ModelError('refused', 401)])(
    'opens after three failures in a row: %s',
    async (err) => {
      for (let time = 0; time < 5; time++) await ask(err)
      expect(asked).toBe(3)
    },
  )

  it('limits the number of requests in flight', async () => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const waiting = Array.from({ length: 64 }, () => breaker(() => ended))
    expect(await ask()).toBe('not_sent')
    end()
    await Promise.all(waiting)
    expect(await ask()).toBe('ok')
  })
})
