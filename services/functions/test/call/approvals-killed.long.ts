import { eventually, sendJson } from '@onward/testbed'
import { startFunctionsProcess } from '../support/functions-process.ts'
import { openFunctions } from '../support/support.ts'

jest.setTimeout(180_000)

describe('an approved call whose process is killed', () => {
  it('was sent once, is logged, and asks again when it is repeated in another process', async () => {
    const onward = await openFunctions({ builtIn: true })
    const { appKey } = onward.application
    const user = onward.user('joe')
    await user.connect('desk')
    const rules = [{ functions: ['desk-create-ticket'], result: 'ask' }]
    await onward.admin('put', `/admin/applications/${appKey}/policy`, { rules }).expect(200)
    const { approval_id: id } = (await user.call('desk-create-ticket', { subject: 'a' }).expect(403)).body
    await user.post(`/approvals/${id}/decide`, { result: 'approved' }).expect(200)

    const doomed = await startFunctionsProcess(onward.environment)
    onward.third.received.length = 0
    onward.third.respond(() => {})
    const lost = fetch(`${doomed.url}/functions/desk-create-ticket/call`, {
      method: 'POST',
      headers: { ...user.headers, 'content-type': 'application/json' },
      body: '{"subject": "a"}',
    }).catch((err: unknown) => err)
    await eventually(() => expect(onward.third.received).toHaveLength(1), 60_000)
    await doomed.stop('SIGKILL')
    expect(await lost).toBeInstanceOf(Error)

    onward.third.respond((_received, response) => sendJson(response, 200, {}))
    const again = (await user.call('desk-create-ticket', { subject: 'a' }).expect(403)).body
    expect(again.code).toBe('approval_required')
    expect(again.approval_id).not.toBe(id)
    expect(onward.third.received).toHaveLength(1)
    const { approvals } = (await user.post('/approvals/list', { state: 'used' }).expect(200)).body
    const logged = () => onward.db.selectFrom('call_log').select(['call_id', 'outcome']).execute()
    await eventually(async () => expect(await logged()).toEqual([{ call_id: approvals[0].call_id, outcome: 'unknown' }]), 90_000)
    expect(approvals).toMatchObject([{ id, state: 'used' }])
  })
})
