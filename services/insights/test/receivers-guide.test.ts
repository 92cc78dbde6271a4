import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as contract from '@onward/contract'
import { areaEnv } from '@onward/testbed'
import { readConfig } from '../src/config.ts'
import { useWebhooks } from './use-insights.ts'

const run = promisify(execFile)
const guide = readFileSync(join(__dirname, '../WEBHOOKS.md'), 'utf8')
const blocks = (language: string) => [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code)
const verifiers = blocks('js')

type Case = { readonly body: string; readonly headers: object; readonly secret: string; readonly now?: number }

/** Runs a verifier of the guide and returns its results. */
async function verdicts(code: string, cases: readonly Case[]): Promise<boolean[]> {
  const program = `${code}
    const clock = Date.now
    const judge = ({ body, headers, secret, now }) => {
      Date.now = () => now ?? clock()
      return verify(Buffer.from(body), headers, secret)
    }
    console.log(JSON.stringify(JSON.parse(process.argv[1]).map(judge)))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program, JSON.stringify(cases)], {
    cwd: join(__dirname, '..'),
  })
  return JSON.parse(stdout)
}

const webhooks = useWebhooks()

/** Returns a request that the service sent, and its secrets, newest first. */
async function sent(rotated: boolean): Promise<{ body: string; headers: Record<string, string>; secrets: string[] }> {
  const { workspace, id, secret } = await webhooks.subscribed()
  const path = `/partners/api/insights/subscriptions/${id}`
  const secrets = rotated ? [(await workspace.send('post', `${path}/rotate-secret/`).expect(200)).body.signing_secret, secret] : [secret]
  await webhooks.reachLimit(workspace, 'zoë')
  await webhooks.receives(1)
  const [hook] = webhooks.receiver.received
  return { body: hook?.body ?? '', headers: hook?.headers as Record<string, string>, secrets }
}

describe('the receivers’ guide', () => {
  it('shows a verifier of at most ten lines without a library, and one with a library', () => {
    expect(verifiers).toHaveLength(2)
    expect(verifiers[0]?.trim().split('\n').length).toBeLessThanOrEqual(10)
    expect(verifiers[0]).not.toContain('standardwebhooks')
    expect(verifiers[1]).toContain("from 'standardwebhooks'")
  })

  it.each([
    ['without a library', 0],
    ['with the library', 1],
  ])('verifies %s real webhooks and nothing else', async (_what, i) => {
    const { body, headers, secrets } = await sent(false)
    const [secret = ''] = secrets
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    const hour = 3_600_000
    const signature = String(headers['webhook-signature'])
    const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
    const cases: [boolean, Case][] = [
      [true, { body, headers, secret }],
      [false, { body: `${body} `, headers, secret }],
      [false, { body: body.replace('1', '2'), headers, secret }],
      [false, { body, headers, secret: other }],
      [false, { body, headers: { ...headers, 'webhook-id': 'another' }, secret }],
      [false, { body, headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }, secret }],
      [false, { body, headers, secret, now: Date.now() + hour }],
      [false, { body, headers, secret, now: Date.now() - hour }],
      [false, { body, headers: { ...headers, 'webhook-timestamp': 'now' }, secret }],
      [false, { body, headers: { ...headers, 'webhook-signature': signature.slice(0, -1) }, secret }],
      [false, { body, headers: { ...headers, 'webhook-signature': signature.replace(/[^,]$/, 'é') }, secret }],
      [false, { body, headers: { ...headers, 'webhook-signature': `v2,${signature.slice(3)}` }, secret }],
      [true, { body, headers: { ...headers, 'webhook-signature': `v1,AAAA ${signature}` }, secret }],
      [false, { body, headers: without('webhook-signature'), secret }],
      [false, { body, headers: without('webhook-timestamp'), secret }],
    ]
    const given = await verdicts(
      verifiers[i] ?? '',
      cases.map(([, one]) => one),
    )
    expect(given).toEqual(cases.map(([right]) => right))
  })

  it.each([0, 1])('verifies with either secret during a rotation (%i)', async (i) => {
    const { body, headers, secrets } = await sent(true)
    expect(secrets).toHaveLength(2)
    const cases = secrets.map((secret) => ({ body, headers, secret }))
    expect(await verdicts(verifiers[i] ?? '', cases)).toEqual([true, true])
  })

  it('shows an example that both verifiers accept with the secret below it', async () => {
    const [example = ''] = blocks('http')
    const [head = '', wrapped = ''] = example.trim().split('\n\n')
    const body = wrapped.replaceAll('\n', '')
    const [, ...lines] = head.split('\n')
    const headers = Object.fromEntries(lines.map((line) => line.split(': ', 2)))
    const secret = /`(whsec_[^`…]+)`/.exec(guide)?.[1] ?? ''
    const one = { body, headers, secret, now: Number(headers['webhook-timestamp']) * 1_000 }
    for (const verifier of verifiers) expect(await verdicts(verifier, [one])).toEqual([true])
    const { required } = contract.taskStatusWithPercents
    expect(new Set(Object.keys(JSON.parse(body)))).toEqual(new Set(required))
  })

  it('lists the waits of the schedule', () => {
    const units = { s: 1_000, min: 60_000, h: 3_600_000 }
    const row = guide.split('\n').find((line) => line.startsWith('| after a wait of')) ?? ''
    const waits = [...row.matchAll(/(\d+) (s|min|h) /g)].map(([, number, unit]) => Number(number) * units[unit as keyof typeof units])
    expect(waits).toEqual([
      0,
      ...readConfig(areaEnv({ databaseUrl: 'postgres://a/b', queueUrl: 'redis://a', queuePrefix: 'a' })).webhooks.retryDelaysMs,
    ])
  })
})
