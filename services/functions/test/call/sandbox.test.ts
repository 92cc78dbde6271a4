import { sendJson } from '@onward/testbed'
import request from 'supertest'
import { readSandbox, sandboxed } from '../../src/onward/sandbox.ts'
import { type Functions, openFunctions } from '../support/support.ts'

let onward: Functions

beforeAll(async () => {
  onward = await openFunctions({ builtIn: true })
})

describe('the sandbox of an application', () => {
  it('gets its calls in place of the apps, with the host in the path', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, { ok: true }))
    const { url } = await onward.startAnother({ sandbox: { appKey: onward.application.appKey, url: onward.third.url } })
    const user = onward.newUser()
    const account = { user_id: user.userId, app: 'slack', credentials: { access_token: 'xoxb-of-the-tests' } }
    await onward.admin('post', `/admin/applications/${onward.application.appKey}/connected-accounts`, account).expect(200)
    await request(url)
      .post('/functions/slack-post-message/call')
      .set(user.headers)
      .send({ channel: 'C1', text: 'hi' })
      .expect(200, /"network_code":200/)
    expect(onward.third.received.map((received) => [received.method, received.url, received.headers.authorization])).toEqual([
      ['POST', '/slack.com/api/chat.postMessage', 'Bearer xoxb-of-the-tests'],
    ])
  })

  it('gets only requests with its token, if one is given', () => {
    const env = { SANDBOX_URL: 'http://127.0.0.1:1', SANDBOX_APPLICATION: 'demo', OUTGOING_REACH: 'local' }
    const url = 'https://slack.com/api/auth.test?a=1'
    const targetOf = (settings: object, authorization: string) =>
      sandboxed(readSandbox({ ...env, ...settings }), 'demo', { url, headers: { accept: '*/*', authorization } })
    expect(targetOf({ SANDBOX_TOKEN: 'of-the-sandbox' }, 'Bearer of-the-sandbox-1')).toBe('http://127.0.0.1:1/slack.com/api/auth.test?a=1')
    expect(targetOf({ SANDBOX_TOKEN: 'of-the-sandbox' }, 'Bearer xoxb-1')).toBe(url)
    expect(targetOf({}, 'Bearer xoxb-1')).toBe('http://127.0.0.1:1/slack.com/api/auth.test?a=1')
  })

  it.each([
    [
      { SANDBOX_URL: 'http://127.0.0.1:1', SANDBOX_APPLICATION: 'demo' },
      'SANDBOX_URL is for development only; it needs OUTGOING_REACH=local',
    ],
    [
      { SANDBOX_URL: 'http://127.0.0.1:1', OUTGOING_REACH: 'local' },
      'SANDBOX_URL and SANDBOX_APPLICATION belong together: set both or none',
    ],
  ])('is refused with the settings %j', (env, problem) => {
    expect(() => readSandbox(env)).toThrow(problem)
  })
})
