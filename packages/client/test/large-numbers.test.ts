import { useScripted } from './scripted.ts'

const scripted = useScripted()
const BIG = '1909699624467843944'
const NUMBERS = `[${BIG},-${BIG},1.50,0.1234567890123456789,1e400,12,-0.25,1E2]`

function answers(output: string): void {
  scripted.server.answer((_received, response) => void response.end(`{"network_code":200,"output":${output}}`))
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
