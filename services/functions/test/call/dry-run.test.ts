import { useKinds } from '../support/support.ts'

const { onward, connect } = useKinds()
const SECRET = 'k3y/+of=the account'

describe('a call with dry_run=true', () => {
  it('returns the request that would be sent without secrets, and sends, logs and counts nothing', async () => {
    const user = await connect('bodies', { token: SECRET })
    onward.third.received.length = 0
    const rows = await onward.rows()
    const path = '/functions/bodies-json/call?dry_run=true'
    const { body, headers } = await user.post(path, { text: '{who}', number: 3, _variables: { who: 'Zoë' } }).expect(200)
    expect(body).toEqual({
      dry_run: true,
      request: {
        method: 'POST',
        url: expect.stringContaining(onward.third.url),
        headers: expect.objectContaining({ authorization: 'Bearer [redacted]' }),
        body: expect.stringContaining('Zoë'),
      },
      account_id: expect.any(Number),
      policy: { result: 'allow', message: null },
    })
    expect(JSON.stringify(body)).not.toContain('k3y')
    expect(headers['x-call-id']).toBeUndefined()
    expect(onward.third.received).toEqual([])
    expect(await onward.rows()).toEqual(rows)
  })

  it('refuses what the call refuses, and an Idempotency-Key', async () => {
    const user = await connect('bodies', { token: SECRET })
    const dryRun = (name: string, args: object) => user.post(`/functions/${name}/call?dry_run=true`, args)
    expect((await dryRun('bodies-put-file', { path: 'x', text: 5 }).expect(400)).body.code).toBe('invalid_parameters')
    expect((await dryRun('bodies-nothing', {}).expect(404)).body.code).toBe('function_not_found')
    const keyed = await dryRun('bodies-json', { text: 'a' }).set('Idempotency-Key', 'one').expect(400)
    expect(keyed.body.error_details).toEqual(['Idempotency-Key: leave it out, because a dry run executes nothing'])
  })
})
