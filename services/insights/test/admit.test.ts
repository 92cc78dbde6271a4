import { type ClientRequest, request as httpRequest } from 'node:http'
import { eventually } from '@onward/testbed'
import { useInsights } from './use-insights.ts'

const insights = useInsights()
const stalled: ClientRequest[] = []
afterEach(() => {
  for (const request of stalled.splice(0)) request.destroy()
})

/** Sends a request without the end of its body. */
function stall(apiKey: string): void {
  const headers = { 'api-key': apiKey, 'content-type': 'application/json', 'content-length': 100 }
  const request = httpRequest(`${insights.url}/partners/api/accounts/me/`, { method: 'PATCH', headers, agent: false })
  stalled.push(request.on('error', () => {}))
  request.write('{')
}

describe('the requests in progress', () => {
  it('are limited: further ones of the workspace wait, and those of another workspace do not', async () => {
    const [slow, other] = [await insights.workspace(), await insights.workspace()]
    for (let n = 0; n < 16; n++) stall(slow.apiKey)
    const waiting: Promise<unknown>[] = []
    // The stalled requests may take a moment to arrive. When they have, a request waits.
    await eventually(async () => {
      let answered = false
      waiting.push(
        slow
          .setDefault(5)
          .expect(200)
          .then(() => {
            answered = true
          }),
      )
      for (let n = 0; n < 10; n++) await other.setDefault(7).expect(200)
      expect(answered).toBe(false)
    })
    for (const request of stalled.splice(0)) request.destroy()
    await Promise.all(waiting)
    await slow.setDefault(9).expect(200)
  })
})
