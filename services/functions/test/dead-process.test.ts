import { uuidv7 } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { insertAttempts } from '../src/db/attempts.ts'
import { openFunctions } from './support.ts'

describe('a running service', () => {
  it('settles what a process that died left behind', async () => {
    const onward = await openFunctions()
    const callId = uuidv7()
    const fn = { functionName: 'notes-read-notes', functionVersion: 'v', app: 'notes', accountId: null }
    const attempt = { callId, appKey: 'app-1', userId: 'joe', ...fn }
    await insertAttempts(onward.db, uuidv7(), [attempt])
    const joe = onward.user('joe')
    await eventually(async () => {
      const { body } = await joe.post(`/calls/${callId}/get`).expect(200)
      expect(body).toMatchObject({ outcome: 'unknown', network_code: null, duration_ms: null })
    })
    expect(await onward.counted(callId)).toBe(true)
  })
})
