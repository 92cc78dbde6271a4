import { builtInFunction, workAccount } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

type Args = Readonly<Record<string, unknown>>

const file = { name: 'a.txt', contentType: 'text/plain', bytes: Buffer.from('BYTES') }

/** The parts of a multipart body: headers and content by field name. */
function partsOf(body: unknown, type = ''): Record<string, string[]> {
  const parts = String(body)
    .split(`--${/boundary=(\S+)/.exec(type)?.[1]}`)
    .slice(1, -1)
  return Object.fromEntries(
    parts.map((part) => {
      const [head = '', content = ''] = part.trim().split(/\r\n\r\n/)
      return [/ name="([^"]*)"/.exec(head)?.[1], [...(/filename="[^"]*"/.exec(head) ?? []), content]]
    }),
  )
}

describe('the chat apps', () => {
  it.each<[string, string, Args, string, unknown]>([
    [
      'discord',
      'send-message',
      { channel_id: '1', content: 'hi', reply_to_message_id: '2' },
      'POST https://discord.com/api/v10/channels/1/messages',
      { content: 'hi', message_reference: { message_id: '2' } },
    ],
    [
      'discord',
      'add-reaction',
      { channel_id: '1', message_id: '2', emoji: '👍' },
      'PUT https://discord.com/api/v10/channels/1/messages/2/reactions/%F0%9F%91%8D/@me',
      null,
    ],
    [
      'telegram',
      'send-message',
      { chat_id: '@acme', text: 'hi', reply_to_message_id: 7 },
      'POST https://api.telegram.org/bot12:AB-c/sendMessage',
      { chat_id: '@acme', text: 'hi', reply_parameters: { message_id: 7 } },
    ],
    [
      'telegram',
      'send-poll',
      { chat_id: '@acme', question: 'q', options: [{ text: 'a' }], open_period: 86_400 },
      'POST https://api.telegram.org/bot12:AB-c/sendPoll',
      { chat_id: '@acme', question: 'q', options: [{ text: 'a' }], is_anonymous: true, open_period: 86_400 },
    ],
    ['telegram', 'get-chat', { chat_id: '-100' }, 'GET https://api.telegram.org/bot12:AB-c/getChat?chat_id=-100', null],
  ])('build in %s the request of %s with %j', (name, phrase, args, line, body) => {
    const request = build(builtInFunction(name, phrase), args, workAccount(name))
    expect(`${request.method} ${request.url}`).toBe(line)
    expect(JSON.parse(String(request.body ?? null))).toEqual(body)
  })
})

describe('files', () => {
  it.each<[string, string, string, Args, object]>([
    ['asana', 'upload-attachment', 'file', { parent: '1' }, { parent: ['1'], file: ['filename="a.txt"', 'BYTES'] }],
    ['clickup', 'attach-file', 'attachment', { task_id: 'x' }, { attachment: ['filename="a.txt"', 'BYTES'] }],
    ['discord', 'send-file', 'file', { channel_id: '1', content: 'c' }, { content: ['c'], 'files[0]': ['filename="a.txt"', 'BYTES'] }],
    ['jira', 'add-attachment', 'file', { issue: 'WEB-1' }, { file: ['filename="a.txt"', 'BYTES'] }],
    [
      'telegram',
      'send-photo',
      'photo',
      { chat_id: '1', caption: 'c' },
      { chat_id: ['1'], photo: ['filename="a.txt"', 'BYTES'], caption: ['c'] },
    ],
    ['wordpress', 'upload-media', 'file', { title: 't' }, { file: ['filename="a.txt"', 'BYTES'], title: ['t'] }],
  ])('are multipart parts when %s sends them to %s', (name, phrase, field, args, parts) => {
    const request = build(builtInFunction(name, phrase), args, workAccount(name), null, { [field]: file })
    expect(partsOf(request.body, request.headers['content-type'])).toEqual(parts)
  })

  it('are sent to Jira with the header that it requires', () => {
    const request = build(builtInFunction('jira', 'add-attachment'), { issue: 'WEB-1' }, workAccount('jira'), null, { file })
    expect(request.headers['x-atlassian-token']).toBe('no-check')
  })
})
