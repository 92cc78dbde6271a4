import { builtInFunction } from './built-in-accounts.ts'
import { find, sampleApp, sampleFunction } from './sample-app.ts'

describe('an error with a status of success', () => {
  it.each([
    ['slack', 'post-message', { ok: false, error: 'channel_not_found' }, true],
    ['slack', 'post-message', { ok: true }, false],
    ['slack', 'passthrough-request', { ok: false }, true],
    ['slack', 'post-message', 'not JSON', false],
    ['linear', 'create-issue', { errors: [{ message: 'no such team' }] }, true],
    ['linear', 'create-issue', { data: { issueCreate: { success: false, issue: null } } }, true],
    ['linear', 'create-issue', { data: { issueCreate: { success: true, issue: { id: '1' } } } }, false],
    ['linear', 'archive-issue', { data: { issueArchive: { success: false } } }, true],
    ['monday', 'create-item', { errors: [{ message: 'no' }], data: {} }, true],
    ['monday', 'passthrough-request', { errors: [{ message: 'no' }] }, true],
    ['monday', 'create-item', { data: { create_item: { id: '1' } }, errors: [] }, false],
    ['shopify', 'create-product', { data: { productCreate: { product: null, userErrors: [{ message: 'no title' }] } } }, true],
    ['shopify', 'create-product', { data: { productCreate: { product: { id: '1' }, userErrors: [] } } }, false],
    ['shopify', 'adjust-stock', { data: { inventoryAdjustQuantities: { userErrors: [{ message: 'no' }] } } }, true],
    ['shopify', 'list-orders', { errors: 'invalid token' }, true],
  ])('of %s is found in the response of %s: %j %s', (app, phrase, body, expected) => {
    expect(builtInFunction(app, phrase).isError?.(body)).toBe(expected)
  })

  it.each([
    [undefined, false],
    [null, false],
    [false, false],
    ['', false],
    [[], false],
    ['no', true],
    [{}, true],
    [['no'], true],
    [0, true],
  ])('is %j at the pointer: %s', (fault, expected) => {
    const fn = sampleFunction({ response: { error: { pointer: '/fault' } } })
    expect(fn.isError?.({ fault })).toBe(expected)
  })

  it('is searched in no other app', () => {
    const app = sampleApp({})
    expect([find(app, 'run').isError, find(app, 'passthrough-request').isError]).toEqual([null, null])
  })

  it.each([
    ['slack', { ok: false, error: 'token_revoked' }],
    ['slack', { ok: false, error: 'token_expired' }],
    ['linear', { errors: [{ extensions: { code: 'AUTHENTICATION_ERROR' } }] }],
    ['resend', { name: 'validation_error', message: 'API key is invalid' }],
    ['clickup', { err: 'Token invalid', ECODE: 'OAUTH_025' }],
    ['whatsapp-business', { error: { message: 'expired', code: 190 } }],
    ['salesforce', 'Bad_OAuth_Token'],
  ])('of %s may refuse the credentials: %j', (app, body) => {
    const { isRefused } = builtInFunction(app, 'passthrough-request')
    expect(isRefused?.('https://api.example.com/x', body)).toBe(true)
    expect(isRefused?.('https://api.example.com/x', { error: 'channel_not_found' })).toBe(false)
  })

  it('does not refuse the credentials on a host of files, whose content others choose', () => {
    const { isRefused } = builtInFunction('slack', 'passthrough-request')
    expect(isRefused?.('https://files.slack.com/x', { ok: false, error: 'token_revoked' })).toBe(false)
  })

  it('changes neither output nor cursor', () => {
    const body = { ok: false, error: 'no' }
    expect(builtInFunction('slack', 'list-conversations').readResponse(200, body, null)).toEqual({ output: body, cursor: null })
  })
})
