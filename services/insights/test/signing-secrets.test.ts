import { openSealer } from '@onward/runtime'
import { ADMIN_TOKEN, eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { startInsights } from '../src/index.ts'
import { useWebhooks } from './use-insights.ts'

const webhooks = useWebhooks()
const { insights, subscribed, reachLimit, receives, attemptsOf, makeDue } = webhooks
type Subscribed = Awaited<ReturnType<typeof subscribed>>

const HOUR = 3_600_000
const path = (id: string) => `/partners/api/insights/subscriptions/${id}/rotate-secret/`
const rotate = async ({ workspace, id }: Subscribed, body: object = {}) =>
  (await workspace.send('post', path(id)).send(body).expect(200)).body as { signing_secret: string; previous_valid_until: string }

/** Returns which of these secrets verify the newest webhook, and the number of its signatures. */
async function signedBy(one: Subscribed, ...secrets: string[]): Promise<[boolean[], number]> {
  const count = webhooks.receiver.received.length + 1
  await reachLimit(one.workspace, `user-${count}`)
  await receives(count)
  const hook = webhooks.receiver.received.at(-1)
  const headers = hook?.headers as Record<string, string>
  const opens = (secret: string) => {
    try {
      new Webhook(secret).verify(hook?.body ?? '', headers)
      return true
    } catch {
      return false
    }
  }
  return [secrets.map(opens), String(headers['webhook-signature']).split(' ').length]
}

async function age(id: string, hours: number): Promise<void> {
  await sql`
    update subscription set previous_valid_until = previous_valid_until - ${hours}::float8 * interval '1 hour' where id = ${id}
  `.execute(insights.db)
}

describe('POST subscriptions/<id>/rotate-secret', () => {
  it('creates a new secret; both secrets sign webhooks for 24 hours', async () => {
    const one = await subscribed()
    const before = Date.now()
    const made = await rotate(one)
    expect(made).toEqual({
      subscription_id: one.id,
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previous_valid_until: expect.any(String),
    })
    expect(made.signing_secret).not.toBe(one.secret)
    const until = Date.parse(made.previous_valid_until)
    expect(Math.abs(until - before - 24 * HOUR)).toBeLessThan(10_000)
    expect(await signedBy(one, one.secret, made.signing_secret)).toEqual([[true, true], 2])
    const { body } = await one.workspace.send('get', `/partners/api/insights/subscriptions/${one.id}/`).expect(200)
    expect(body.previous_valid_until).toBe(made.previous_valid_until)
    expect(Math.abs(Date.parse(body.secret_rotated_at) - before)).toBeLessThan(10_000)
    await age(one.id, 23.9)
    expect(await signedBy(one, one.secret, made.signing_secret)).toEqual([[true, true], 2])
    await age(one.id, 0.1)
    expect(await signedBy(one, one.secret, made.signing_secret)).toEqual([[false, true], 1])
    expect((await one.workspace.send('get', `/partners/api/insights/subscriptions/${one.id}/`)).body.previous_valid_until).toBeNull()
  })

  it('keeps the secret that was in use when it is called twice', async () => {
    const one = await subscribed()
    const lost = await rotate(one)
    await age(one.id, 1)
    const made = await rotate(one)
    expect(Date.parse(lost.previous_valid_until) - Date.parse(made.previous_valid_until)).toBe(HOUR)
    expect(await signedBy(one, one.secret, lost.signing_secret, made.signing_secret)).toEqual([[true, false, true], 2])
    await age(one.id, 24)
    const next = await rotate(one)
    expect(await signedBy(one, one.secret, made.signing_secret, next.signing_secret)).toEqual([[false, true, true], 2])
  })

  it('drops the previous secret at once when requested', async () => {
    const one = await subscribed()
    const first = await rotate(one, { keep_previous_hours: 2 })
    expect(Math.abs(Date.parse(first.previous_valid_until) - Date.now() - 2 * HOUR)).toBeLessThan(10_000)
    const made = await rotate(one, { keep_previous_hours: 0 })
    expect(await signedBy(one, one.secret, first.signing_secret, made.signing_secret)).toEqual([[false, false, true], 1])
  })

  it('applies to attempts of earlier deliveries, and accepts an id in capitals', async () => {
    const one = await subscribed()
    webhooks.receiver.respond((_received, response) => {
      response.writeHead(webhooks.receiver.received.length === 1 ? 503 : 200, { 'retry-after': '60' }).end()
    })
    await reachLimit(one.workspace)
    await eventually(async () => expect(await attemptsOf(one.id)).toHaveLength(1))
    const made = await rotate({ ...one, id: one.id.toUpperCase() })
    await makeDue(one.id)
    await receives(2)
    const [first, again] = webhooks.receiver.received
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    for (const secret of [one.secret, made.signing_secret]) {
      new Webhook(secret).verify(again?.body ?? '', again?.headers as Record<string, string>)
    }
  })

  it('stores both secrets sealed', async () => {
    const one = await subscribed()
    const made = await rotate(one)
    const row = await webhooks.subscriptionOf(one.id)
    for (const secret of [one.secret, made.signing_secret]) {
      const bytes = Buffer.from(secret.slice(6), 'base64')
      for (const sealed of [row.sealed_secret, row.previous_sealed_secret ?? Buffer.alloc(0)]) {
        expect(sealed.length).toBeGreaterThan(32)
        expect(sealed.includes(bytes) || sealed.includes(secret)).toBe(false)
      }
    }
  })

  it('reseals both secrets with another sealing key', async () => {
    const one = await subscribed()
    const made = await rotate(one)
    const sealingKeys = [{ id: 'new', key: Buffer.alloc(32, 9) }, ...insights.config.sealingKeys]
    const another = await startInsights({ ...insights.config, sealingKeys })
    const reseal = await fetch(`${another.internalUrl}/admin/secrets/reseal`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    })
    expect(await reseal.json()).toEqual({ resealed: expect.any(Number), complete: true })
    await another.close()
    const { open } = openSealer(sealingKeys.slice(0, 1))
    const row = await webhooks.subscriptionOf(one.id)
    expect(open(row.sealed_secret, `subscription/${one.id}`)).toBe(made.signing_secret)
    expect(open(row.previous_sealed_secret ?? Buffer.alloc(0), `subscription/${one.id}`)).toBe(one.secret)
  })

  it.each([-1, 24.1, '1', null, true])('refuses to keep the previous secret for %j hours', async (hours) => {
    const { workspace, id } = await subscribed()
    const { body } = await workspace.send('post', path(id)).send({ keep_previous_hours: hours }).expect(400)
    expect(body.error_details).toEqual([expect.stringMatching(/^keep_previous_hours: must be a number, 0/)])
  })
})
