import { appMessageOf } from '../../src/call/app-message.ts'

describe('the message of an app', () => {
  it.each<[string, unknown, string | undefined]>([
    [
      'a message',
      { status: 'error', message: 'Contact already exists. Existing ID: 51', category: 'CONFLICT' },
      'Contact already exists. Existing ID: 51',
    ],
    ['an error object', { error: { type: 'invalid_request_error', message: 'No such customer' } }, 'No such customer'],
    ['a code in place of a message', { ok: false, error: 'channel_not_found' }, 'channel_not_found'],
    ['a list of errors', { errors: [{ title: 'Bad', detail: 'The field is  required' }] }, 'The field is required'],
    ['a list at the top', [{ errorCode: 'X', message: 'no access' }], 'no access'],
    ['names in capitals', { Message: 'denied' }, 'denied'],
    ['OAuth', { error: 'invalid_grant', error_description: 'Token expired' }, 'Token expired'],
    ['text', 'Not found', 'Not found'],
    ['a long text', 'x'.repeat(400), `${'x'.repeat(300)}…`],
    ['HTML', '<html><body>Oops</body></html>', undefined],
    ['a body that was not stored', '[70000 characters, not kept]', undefined],
    ['nothing', {}, undefined],
    ['null', null, undefined],
    ['numbers', { code: 12 }, undefined],
    ['what is too deep', { error: { error: { error: { error: { message: 'deep' } } } } }, undefined],
  ])('is found in %s', (_where, output, message) => {
    expect(appMessageOf(output)).toBe(message)
  })
})
