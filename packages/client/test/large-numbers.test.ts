import { useScripted } from './scripted.ts'

const scripted = useScripted()
const BIG = '1909699624467843944'
const NUMBERS = `[${BIG},-${BIG},1.50,0.1234567890123456789,1e400,12,-0.25,1E2]`

function answers(output: string): void {
  scripted.server.respond((_received, response) => void response.end(`{"network_code":200,"output":${output}}`))
}

describe('a number in a response', () => {
  it('is a number if that has exactly its value, and otherwise its digits', async () => {
    answers(NUMBERS)
    const { output } = await scripted.user().functions.call('f', {})
    expect(output).toEqual([BIG, `-${BIG}`, 1.5, '0.1234567890123456789', '1e400', 12, -0.25, 100])
  })

  it('is a bigint if it is a large integer and the client wants that', async () => {
    answers(NUMBERS)
    const { output } = await scripted.user({ largeNumbers: 'bigint' }).functions.call('f', {})
    expect(output).toEqual([BigInt(BIG), -BigInt(BIG), 1.5, '0.1234567890123456789', '1e400', 12, -0.25, 100])
  })

  it('is not looked for in texts', async () => {
    const value = { [BIG]: `"${BIG}",1e400 \\ "`, __proto__: null, list: [`:${BIG}`] }
    answers(`[${JSON.stringify(value)},${BIG}]`)
    expect((await scripted.user().functions.call('f', {})).output).toEqual([value, BIG])
  })
})

describe('a bigint in the arguments', () => {
  it('is sent as a number', async () => {
    answers('null')
    await scripted
      .user()
      .functions.call('f', { id: BigInt(BIG), list: [{ id: -BigInt(BIG) }], text: 'number-1:2' }, { variables: { n: 7n } })
    expect(scripted.server.received.at(-1)?.body).toBe(`{"id":${BIG},"list":[{"id":-${BIG}}],"text":"number-1:2","_variables":{"n":7}}`)
  })
})

describe('an argument that JSON cannot contain', () => {
  it.each<[unknown, string]>([
    [Number.NaN, 'a is NaN'],
    [-Infinity, 'a is -Infinity'],
    [new Date(Number.NaN), 'a is an invalid date'],
    [new Map([['b', 1]]), 'a is a Map'],
    [new Set([1]), 'a is a Set'],
    [[1, undefined], '1 is undefined in a list'],
    [{ b: [() => 1] }, '0 is function in a list'],
  ])('throws a TypeError, and nothing is sent: %p', async (a, problem) => {
    await expect(scripted.user().functions.call('f', { a })).rejects.toThrow(new TypeError(`${problem}, which JSON cannot contain`))
    expect(scripted.server.received).toEqual([])
  })

  it('is not an absent value, a date, or what an object says of itself', async () => {
    answers('null')
    const id = { toJSON: () => 7 }
    await scripted.user().functions.call('f', { a: undefined, b: -0, c: new Date(0), d: id, e: [null] })
    expect(scripted.server.received.at(-1)?.body).toBe('{"b":-0,"c":"1970-01-01T00:00:00.000Z","d":7,"e":[null]}')
  })
})
