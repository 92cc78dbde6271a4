import { useScripted } from './scripted.ts'

const scripted = useScripted()

/** Larger than what becomes characters at once. */
const LARGE = Buffer.alloc(100_001, 'é')

const FILES: readonly (readonly [what: string, file: unknown, sent: object])[] = [
  ['a Buffer', Buffer.from('hi'), { base64: 'aGk=' }],
  ['part of a larger buffer', new Uint8Array([0, 104, 105, 0]).subarray(1, 3), { base64: 'aGk=' }],
  ['an ArrayBuffer', new Uint8Array([104, 105]).buffer, { base64: 'aGk=' }],
  ['a large file', LARGE, { base64: LARGE.toString('base64') }],
  ['a Blob', new Blob(['hi']), { base64: 'aGk=' }],
  ['a Blob with a type', new Blob(['hi'], { type: 'text/plain' }), { base64: 'aGk=', content_type: 'text/plain' }],
  ['a File', new File(['hi'], 'a.txt', { type: 'text/plain' }), { base64: 'aGk=', name: 'a.txt', content_type: 'text/plain' }],
  ['an object that is a file already', { base64: 'aGk=', name: 'a' }, { base64: 'aGk=', name: 'a' }],
]

describe('a file as an argument', () => {
  it.each(FILES)('can be %s', async (_what, file, sent) => {
    scripted.answers([200, { network_code: 200, output: null }])
    await scripted.user().functions.call('f', { file, files: [file, file], n: 1n }, { variables: { v: file } })
    const body = { file: sent, files: [sent, sent], n: 1, _variables: { v: sent } }
    expect(JSON.parse(scripted.server.received[0]?.body ?? '')).toEqual(body)
  })
})
