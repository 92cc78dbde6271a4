import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { type Cursor, checkCredentials, type FileContent } from '../src/index.ts'
import { builtInApp, builtInFunction, cloudAccount } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

const file: FileContent = { name: 'a.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF') }
const graph = 'https://graph.microsoft.com'

describe('files of the cloud apps', () => {
  const driveUrl = 'https://www.googleapis.com/upload/drive/v3/files?uploadType=multipart&supportsAllDrives=true'

  it.each<[string, object, string, string, string]>([
    ['google-drive', { name: 'n', parent_id: 'p' }, driveUrl, 'metadata', '{"name":"n","parents":["p"]}'],
    ['box', { name: 'n' }, 'https://upload.box.com/api/2.0/files/content', 'attributes', '{"name":"n","parent":{"id":"0"}}'],
  ])('are sent to %s after the metadata that it needs', (name, args, target, part, json) => {
    const { url, headers, body } = build(builtInFunction(name, 'upload-file'), { ...args, file: {} }, cloudAccount, null, { file })
    expect(url).toBe(target)
    const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(String(headers['content-type']))?.[1]
    expect(String(body).split(`--${boundary}`).slice(1, 3)).toEqual([
      `\r\nContent-Disposition: form-data; name="${part}"\r\nContent-Type: application/json\r\n\r\n${json}\r\n`,
      '\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF\r\n',
    ])
  })

  it('are sent to OneDrive with their path', () => {
    const request = build(builtInFunction('onedrive', 'upload-file'), { name: 'a b.pdf', file: {} }, cloudAccount, null, { file })
    expect(request).toMatchObject({
      method: 'PUT',
      url: `${graph}/v1.0/me/drive/items/root:/a%20b.pdf:/content?%40microsoft.graph.conflictBehavior=replace`,
      headers: { 'content-type': 'application/pdf' },
      body: file.bytes,
    })
  })

  it('are sent to Dropbox with their path in an ASCII header', () => {
    const args = { path: '/Ü.pdf', mode: 'overwrite' }
    const upload = build(builtInFunction('dropbox', 'upload-file'), { ...args, file: {} }, cloudAccount, null, { file })
    expect(upload).toMatchObject({ method: 'POST', url: 'https://content.dropboxapi.com/2/files/upload', body: file.bytes })
    expect(upload.headers['dropbox-api-arg']).toBe('{"path":"/\\u00dc.pdf","mode":"overwrite"}')
    expect(upload.headers['content-type']).toBe('application/octet-stream')
    expect(build(builtInFunction('dropbox', 'download-file'), { path: '/a' }, cloudAccount)).toEqual({
      method: 'POST',
      url: 'https://content.dropboxapi.com/2/files/download',
      headers: { 'dropbox-api-arg': '{"path":"/a"}', authorization: 'Bearer T' },
    })
  })
})

/** The JSON and the mail of an upload. */
function readUpload({ headers, body }: ReturnType<typeof build>): { about: unknown; mail: string } {
  const [, boundary] = /^multipart\/related; boundary=(\S+)$/.exec(String(headers['content-type'])) ?? []
  const [before, json, mail, after] = String(body).split(`--${boundary}`)
  expect([before, after]).toEqual(['', '--\r\n'])
  const [, about] = /^\r\nContent-Type: application\/json; charset=UTF-8\r\n\r\n(.*)\r\n$/.exec(json ?? '') ?? []
  return { about: JSON.parse(about ?? ''), mail: /^\r\nContent-Type: message\/rfc822\r\n\r\n(.*)\r\n$/s.exec(mail ?? '')?.[1] ?? '' }
}

const gmailOf = (phrase: string, args: object, files = {}) =>
  build(builtInFunction('gmail', phrase), { ...args }, cloudAccount, null, files)

describe('an email from Gmail', () => {
  const send = builtInFunction('gmail', 'send-message')
  const mail = { to: ['a@b.c', 'Ada <d@e.f>'], subject: 'Hi', text: 'Grüße\nBcc: x@y.z' }
  const answer = { thread_id: 't', in_reply_to: '<1@b.c>' }
  const thread = ['In-Reply-To: <1@b.c>', 'References: <1@b.c>']

  it.each<[string, object, string, object, string[]]>([
    ['send-message', {}, 'POST messages/send', {}, []],
    ['create-draft', {}, 'POST drafts', {}, []],
    ['reply-to-message', answer, 'POST messages/send', { threadId: 't' }, thread],
    ['draft-reply', answer, 'POST drafts', { message: { threadId: 't' } }, thread],
    ['update-draft', { draft_id: 'r1' }, 'PUT drafts/r1', {}, []],
    ['update-draft', { draft_id: 'r1', ...answer }, 'PUT drafts/r1', { message: { threadId: 't' } }, thread],
  ])('is a complete message for %s with %j', (phrase, args, line, about, more) => {
    const request = gmailOf(phrase, { ...mail, ...args })
    const place = `${request.method} ${request.url}`.replace('https://gmail.googleapis.com/upload/gmail/v1/users/me/', '')
    expect(place).toBe(`${line}?uploadType=multipart`)
    expect(readUpload(request)).toEqual({
      about,
      mail: [
        'To: a@b.c,',
        ' Ada <d@e.f>',
        'Subject: Hi',
        ...more,
        'MIME-Version: 1.0',
        'Content-Transfer-Encoding: 8bit',
        'Content-Type: text/plain; charset=UTF-8',
        '',
        'Grüße\nBcc: x@y.z',
      ].join('\r\n'),
    })
  })

  it('goes on with the references of the message that it answers, in lines that mail servers accept', () => {
    const references = Array.from({ length: 40 }, (_, index) => `<${index}.${'x'.repeat(50)}@b.c>`)
    const { mail: written } = readUpload(gmailOf('reply-to-message', { ...mail, ...answer, references: references.join(' ') }))
    expect(written.replaceAll('\r\n ', ' ')).toContain(`\r\nReferences: ${references.join(' ')} <1@b.c>\r\n`)
    expect(Math.max(...written.split('\r\n').map((line) => line.length))).toBeLessThan(100)
  })

  it('has attachments with names in any script', () => {
    const attachments = [
      { name: "Müller's (1).pdf", contentType: 'application/pdf', bytes: Buffer.alloc(100, 7) },
      { name: 'a.txt', contentType: 'text/plain', bytes: Buffer.from('a') },
    ]
    const { mail: written } = readUpload(gmailOf('send-message', { ...mail, attachments: [{}, {}] }, { attachments }))
    const [head = '', ...rest] = written.split('\r\n\r\n')
    const [, boundary] = /^Content-Type: multipart\/mixed; boundary=(\S+)$/m.exec(head) ?? []
    expect(
      rest
        .join('\r\n\r\n')
        .split(`--${boundary}`)
        .map((part) => part.split('\r\n')),
    ).toEqual([
      [''],
      ['', 'Content-Transfer-Encoding: 8bit', 'Content-Type: text/plain; charset=UTF-8', '', mail.text, ''],
      [
        '',
        "Content-Disposition: attachment; filename*=UTF-8''M%C3%BCller%27s%20%281%29.pdf",
        'Content-Transfer-Encoding: base64',
        'Content-Type: application/pdf',
        '',
        'BwcH'.repeat(19),
        `${'BwcH'.repeat(14)}Bw==`,
        '',
      ],
      [
        '',
        "Content-Disposition: attachment; filename*=UTF-8''a.txt",
        'Content-Transfer-Encoding: base64',
        'Content-Type: text/plain',
        '',
        'YQ==',
        '',
      ],
      ['--', ''],
    ])
  })

  it.each(['subject', 'in_reply_to'])('has no %s with a line break', (name) => {
    const args = { ...mail, ...answer, [name]: 'x\r\nBcc: x@y.z' }
    const built = builtInFunction('gmail', 'reply-to-message').request(args, cloudAccount, null)
    expect(JSON.stringify(built)).toMatch(/^\{"problems":\["the (Subject|In-Reply-To) of the mail has a line break; remove it"/)
  })

  it.each<[object, boolean]>([
    [{}, true],
    [{ subject: '' }, true],
    [{ subject: 'Hi\r\nBcc: x@y.z' }, false],
    [{ subject: 'Hi\nBcc: x@y.z' }, false],
    [{ subject: 'Hi\n' }, false],
    [{ subject: 'Grüße – “bis bald” 🎉' }, true],
    [{ to: ['Zoë <a@b.c>'], cc: ['x@y.z'] }, true],
    [{ to: ['Zoë'] }, false],
    [{ cc: ['Zoë\r\nBcc: <x@y.z>'] }, false],
    [{ to: ['a@b.c\r\nBcc: x@y.z'] }, false],
    [{ to: ['a@b.c\n'] }, false],
    [{ to: [] }, false],
    [{ content_type: 'text/html\r\nBcc: x@y.z' }, false],
  ])('accepts the part %j: %s', (part, fits) => {
    const ajv = new Ajv({ strict: true })
    formats.default(ajv)
    expect(ajv.validate(send.parameters, { ...mail, ...part })).toBe(fits)
  })
})

it('writes people in copy and any script into the headers of an email from Gmail', () => {
  const mail = { to: ['Zoë Ж <a@b.c>'], cc: ['d@e.f', '"Ö, \\"X\\"" <g@h.i>'], bcc: ['j@k.l'], subject: 'Grüße 🎉', text: 'Hi' }
  const lines = readUpload(gmailOf('send-message', mail)).mail.split('\r\n')
  const word = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
  expect(lines.slice(0, 5)).toEqual([
    `To: ${word('Zoë Ж')} <a@b.c>`,
    'Cc: d@e.f,',
    ` ${word('Ö, "X"')} <g@h.i>`,
    'Bcc: j@k.l',
    `Subject: ${word('Grüße 🎉')}`,
  ])
})

it('splits a long subject of an email from Gmail between characters, into lines that mail servers accept', () => {
  const subject = '🎉 '.repeat(80)
  const mail = { to: ['a@b.c'], subject, text: 'Hi' }
  const text = readUpload(gmailOf('create-draft', mail)).mail
  const written = /Subject: (.*?)\r\nMIME/s.exec(text)?.[1] ?? ''
  const words = written.split('\r\n ')
  expect(Math.max(...words.map((word) => word.length))).toBeLessThanOrEqual(75)
  expect(words.map((word) => Buffer.from(word.slice(10, -2), 'base64').toString()).join('')).toBe(subject)
})

describe('paging in a cloud app', () => {
  it.each<[string, string, object, object, Record<string, string>, Cursor | null, string | null]>([
    ['gmail', 'list-threads', {}, { threads: [1], nextPageToken: 'n' }, {}, 'n', 'maxResults=100&pageToken=n'],
    ['google-calendar', 'list-events', {}, { items: [1] }, {}, null, null],
    ['box', 'list-folder-items', {}, { entries: [1, 2], total_count: 3 }, {}, 2, 'limit=100&offset=2'],
    ['box', 'list-folder-items', {}, { entries: [1, 2], total_count: 2 }, {}, null, null],
    ['box', 'list-folder-items', {}, { entries: [1, 2], limit: 100, total_count: 150 }, {}, 100, 'limit=100&offset=100'],
    ['pagerduty', 'list-services', {}, { services: [1], more: false }, {}, null, null],
    ['pagerduty', 'list-services', {}, { services: [1], more: true }, {}, 1, 'limit=25&offset=1'],
    ['datadog', 'search-monitors', {}, { monitors: [1], metadata: { page_count: 2 } }, {}, 1, 'per_page=30&page=1'],
    ['datadog', 'search-monitors', {}, { monitors: [1], metadata: { page_count: 1 } }, {}, null, null],
    [
      'datadog',
      'search-logs',
      {},
      { data: [1], meta: { page: { after: 'c' } } },
      {},
      'c',
      'sort=-timestamp&page%5Blimit%5D=50&page%5Bcursor%5D=c',
    ],
    ['slack', 'search-messages', { query: 'a' }, { messages: { matches: [1], paging: { pages: 1 } } }, {}, null, null],
    [
      'onedrive',
      'list-folder',
      {},
      { value: [1], '@odata.nextLink': `${graph}/v1.0/me/drive/items/root/children?$top=200&$skiptoken=s` },
      {},
      '/v1.0/me/drive/items/root/children?$top=200&$skiptoken=s',
      '$top=200&$skiptoken=s',
    ],
    ['outlook-mail', 'list-folders', {}, { value: [1], '@odata.nextLink': `${graph}/v1.0/a?$skip=1` }, {}, '/v1.0/a?$skip=1', '$skip=1'],
    [
      'gitlab',
      'list-labels',
      { project_id: '4' },
      [1],
      { link: '<https://gitlab.com/api/v4/projects/4/labels?page=2&per_page=20>; rel="next", <https://gitlab.com/x?page=9>; rel="last"' },
      { page: '2' },
      'per_page=20&page=2',
    ],
    [
      'sentry',
      'list-members',
      { organization: 'acme' },
      [1],
      { link: '<https://sentry.io/api/0/x/?&cursor=0:100:0>; rel="next"; results="true"; cursor="0:100:0"' },
      { cursor: '0:100:0' },
      'cursor=0%3A100%3A0',
    ],
  ])('continues in %s for %s', (name, phrase, args, body, headers, cursor, search) => {
    const fn = builtInFunction(name, phrase)
    const next = fn.readResponse(200, body, null, headers, cloudAccount).cursor
    expect(next).toEqual(cursor)
    if (cursor !== null) expect(build(fn, { ...args }, cloudAccount, cursor).url.split('?')[1]).toBe(search)
  })

  it("sends the cursor of Dropbox's shared links in the body", () => {
    const fn = builtInFunction('dropbox', 'list-shared-links')
    expect(fn.readResponse(200, { links: [1], has_more: true, cursor: 'c' }, null)).toEqual({ output: [1], cursor: 'c' })
    expect(build(fn, {}, cloudAccount, 'c').body).toBe('{"cursor":"c"}')
  })
})

describe('an account of a cloud app', () => {
  it.each<[string, object, object]>([
    ['pagerduty', { api_key: 'K' }, { authorization: 'Token token=K', accept: 'application/vnd.pagerduty+json;version=2' }],
    ['pagerduty', { access_token: 'T' }, { authorization: 'Bearer T' }],
    ['datadog', cloudAccount, { 'dd-api-key': 'K', 'dd-application-key': 'A' }],
    ['google-drive', { access_token: 'T', issuer: 'a@b.c', private_key: 'k' }, { authorization: 'Bearer T' }],
  ])('of %s signs its requests with %j', (name, account, headers) => {
    expect(build(builtInFunction(name, 'passthrough-request'), { url: '/x' }, { ...account }).headers).toMatchObject(headers)
  })

  it.each([
    ['https://api.datadoghq.com', true],
    ['https://api.us5.datadoghq.com', true],
    ['https://api.ddog-gov.com', true],
    ['http://api.datadoghq.com', false],
    ['https://api.datadoghq.com.evil.example', false],
    ['https://evil.example/api.datadoghq.com', false],
    ['https://api.datadoghq.com/x', false],
  ])('of Datadog accepts the server %s: %s', (url, fits) => {
    const account = { api_key: 'K', application_key: 'A', api_url: url }
    expect(checkCredentials(builtInApp('datadog'), account)).toHaveLength(fits ? 0 : 1)
  })
})
