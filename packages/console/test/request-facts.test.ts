import { requestFacts, requestSummary } from '../src/pages/approvals/request-facts.ts'

const URL_ = 'https://app.example.com/v1/things?page=2&q=ada'
const request = (body: string | null, type = 'application/json') => ({
  method: 'POST',
  url: URL_,
  headers: { 'Content-Type': type },
  body,
})
const mail = (...lines: string[]) => request(lines.join('\r\n'), 'message/rfc822')
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('what a request says', () => {
  it.each([
    [
      'the fields of JSON',
      request('{"name":"Ada","tags":["a","b"],"owner":{"id":7,"active":true},"note":null,"none":[]}'),
      [
        ['name', 'Ada'],
        ['tags', 'a, b'],
        ['owner.id', '7'],
        ['owner.active', 'true'],
        ['note', 'null'],
      ],
    ],
    [
      'the fields of a form',
      request('to=%2B44&text=Hi+there', 'application/x-www-form-urlencoded'),
      [
        ['to', '+44'],
        ['text', 'Hi there'],
      ],
    ],
    [
      'the query without a body',
      request(null),
      [
        ['page', '2'],
        ['q', 'ada'],
      ],
    ],
    [
      'a plain mail',
      mail('To: ada@example.com,', ' bob@example.com', 'Subject: Hello', '', 'Line 1', '', 'Line 2'),
      [
        ['to', 'ada@example.com, bob@example.com'],
        ['subject', 'Hello'],
        ['text', 'Line 1\n\nLine 2'],
      ],
    ],
    [
      'an encoded mail',
      mail(
        'To: ada@example.com',
        `Subject: =?UTF-8?B?${base64('Grüße')}?=`,
        'Content-Transfer-Encoding: base64',
        '',
        base64('Schöne Grüße'),
      ),
      [
        ['to', 'ada@example.com'],
        ['subject', 'Grüße'],
        ['text', 'Schöne Grüße'],
      ],
    ],
    ['a mail with parts', mail('To: ada@example.com', 'Content-Type: multipart/mixed; boundary=x', '', '--x'), [['to', 'ada@example.com']]],
    ['JSON that is not whole', request('{"name":"Ad'), []],
  ])('is %s', (_what, sent, facts) => {
    expect(requestFacts(sent)).toEqual(facts)
  })

  it.each([
    [request('{"subject":"Hello","to":"ada@example.com","text":"Hi"}'), 'ada@example.com · Hello'],
    [request('{"group":"friends"}'), 'friends'],
    [request('x', 'text/csv'), ''],
  ])('is summed up by its recipient and its subject', (sent, summary) => {
    expect(requestSummary(sent)).toBe(summary)
  })
})
