import request from 'supertest'
import { useLink } from '../support/use-link.ts'

const behind = useLink()
const { onward, call } = behind

const codeOf = ({ status, body }: request.Response) => [status, body.code]
const UNAVAILABLE = [503, 'unavailable']

describe('a connection to Postgres that falls silent', () => {
  it('is answered with 503 in every part of the API, and nothing is sent', async () => {
    const { body } = await behind.joe.post('/apps/list').expect(200)
    const loginUrl: string = body.apps.find(({ name }: { name: string }) => name === 'desk').login_url
    onward.third.received.length = 0
    const logged = await onward.rows()
    const silent = ['insert into call_attempt', 'from "call_log"', 'order by "app_key"', 'insert into "connect_session"'].map(
      (text) => behind.link.hold([text], 'request').held,
    )
    const [called, listed, administered, page] = await Promise.all([
      call(),
      behind.joe.post('/calls/list', {}),
      onward.admin('get', '/admin/applications'),
      request(loginUrl).get(''),
    ])
    await Promise.all(silent)
    expect([called, listed, administered].map(codeOf)).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE])
    expect([page.status, page.type]).toEqual([503, 'text/html'])
    expect(onward.third.received).toEqual([])
    expect((await onward.rows()).call_log).toBe(logged.call_log)
  })
})
