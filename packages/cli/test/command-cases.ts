import { answers, openStage, type Stage } from './stage.ts'

export const ID = '0199a0b2-0000-7000-8000-000000000000'

/** A command, what it sends to a service, and what it prints. */
type Case = {
  readonly args: readonly string[]
  /** The response of the service. */
  readonly response: object
  /** The request that the command sends: method, path and body. */
  readonly sends: readonly unknown[]
  /** The lines on standard output. */
  readonly prints: readonly string[]
  /** The document that `--json` prints; the response if it is missing. */
  readonly json?: unknown
  readonly says?: string
}

/** Describes that each command sends its request to the service, and prints the response as text and with `--json`. */
export function describeCommands(service: 'functions' | 'insights', cases: readonly Case[]): void {
  let stage: Stage

  beforeEach(async () => {
    stage = await openStage()
  })

  afterEach(() => stage.close())

  describe(`a command of ${service}`, () => {
    it.each(cases.map((each) => [each.args.join(' '), each] as const))(
      'works: %s',
      async (_, { args, response, sends, prints, json, says }) => {
        answers(stage[service], response)
        expect(await stage.run(args)).toEqual({ code: 0, out: prints.map((line) => `${line}\n`).join(''), err: says ?? '' })
        expect(stage.requests()).toEqual([[service, ...sends]])
        const { code, out } = await stage.run([...args, '--json'])
        expect([code, JSON.parse(out)]).toEqual([0, json ?? response])
      },
    )
  })
}
