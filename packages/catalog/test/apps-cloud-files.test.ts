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

describe('an email from Gmail', () => {
  const send = builtInFunction('gmail', 'send-message')
  const mail = { to: ['a@b.c', 'Ada <d@e.f>'], subject: 'Hi', text: 'Grüße\nBcc: x@y.z' }

  it.each([
    ['send-message', 'messages/send'],
    ['create-draft', 'drafts'],
  ])('is a complete message for %s', (phrase, place) => {
    const request = build(builtInFunction('gmail', phrase), mail, cloudAccount)
    expect(request.url).toBe(`https://gmail.googleapis.com/upload/gmail/v1/users/me/${place}?uploadType=media`)
    expect(request.headers['content-type']).toBe('message/rfc822')
    expect(String(request.body)).toBe(
      [
        'To: a@b.c, Ada <d@e.f>',
        'Subject: Hi',
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=UTF-8',
        'Content-Transfer-Encoding: 8bit',
        '',
        'Grüße\nBcc: x@y.z',
      ].join('\r\n'),
    )
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
  const lines = String(build(builtInFunction('gmail', 'send-message'), mail, cloudAccount).body).split('\r\n')
  const word = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
  expect(lines.slice(0, 4)).toEqual([
    `To: ${word('Zoë Ж')} <a@b.c>`,
    `Cc: d@e.f, ${word('Ö, "X"')} <g@h.i>`,
    'Bcc: j@k.l',
    `Subject: ${word('Grüße 🎉')}`,
  ])
})

it('splits a long subject of an email from Gmail between characters, into lines that mail servers accept', () => {
  const subject = '🎉 '.repeat(80)
  const mail = { to: ['a@b.c'], subject, text: 'Hi' }
  const text = String(build(builtInFunction('gmail', 'create-draft'), mail, cloudAccount).body)
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
