import { deflateSync } from 'node:zlib'
import { type Functions, openFunctions, SECRETS, type User } from './support.ts'

let onward: Functions
let joe: User

beforeAll(async () => {
  onward = await openFunctions()
  joe = onward.user('joe')
  await joe.connect('desk')
})

async function read(bytes: Buffer, contentType: string): Promise<unknown> {
  onward.third.answer((_received, response) => void response.writeHead(200, { 'content-type': contentType }).end(bytes))
  return (await joe.call('desk-list-labels').expect(200)).body.output
}

describe('an answer that is no text', () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), deflateSync(Buffer.alloc(200, 3))])

  it.each(['image/png', 'application/octet-stream', 'application/pdf; x=y', 'audio/mpeg'])(
    'comes as base64 when it is %s',
    async (type) => {
      expect(await read(png, type)).toEqual({ content_type: type, base64: png.toString('base64') })
    },
  )

  it('comes as JSON when that is what it is, whatever it says', async () => {
    expect(await read(Buffer.from('{"a":[1]}'), 'application/octet-stream')).toEqual({ a: [1] })
  })

  it('comes as text when it seems to be JSON that is too much to be read', async () => {
    const text = `[${'[],'.repeat(200_000)}[]]`
    expect((await read(Buffer.from(text), 'application/octet-stream')) === text).toBe(true)
    const bytes = Buffer.from(`${text}\xff`, 'latin1')
    expect(await read(bytes, 'application/octet-stream')).toEqual({
      content_type: 'application/octet-stream',
      base64: bytes.toString('base64'),
    })
  })

  it('comes as base64 when it only begins as JSON', async () => {
    const bytes = Buffer.from('{\\rtf1 hello}')
    expect(await read(bytes, 'application/rtf')).toEqual({ content_type: 'application/rtf', base64: bytes.toString('base64') })
  })

  it('is read as text and redacted when it holds a secret', async () => {
    expect(await read(Buffer.from(`key=${SECRETS.desk.api_key}`), 'application/octet-stream')).toBe('key=[redacted]')
  })

  it('is decoded by its character set when it is text', async () => {
    expect(await read(Buffer.from([0x63, 0x61, 0x66, 0xe9]), 'text/plain; charset=ISO-8859-1')).toBe('café')
    expect(await read(Buffer.from('café'), 'text/plain; charset="nonsense"')).toBe('café')
  })
})
