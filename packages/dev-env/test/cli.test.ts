import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditEntry } from '@onward/contract'
import { ADMIN_TOKEN, eventually, openScriptedServer } from '@onward/testbed'
import { APP_KEY, openBothAreas, USER_ID } from './both-areas.ts'

let areas: Awaited<ReturnType<typeof openBothAreas>>
let home: string

beforeAll(async () => {
  areas = await openBothAreas(1)
  home = await mkdtemp(join(tmpdir(), 'onward-home-'))
  const keys = { app_key: APP_KEY, app_secret: areas.appSecret, api_key: areas.partnerApiKey, admin_token: ADMIN_TOKEN }
  const { url, internalUrl } = areas.functions[0] as (typeof areas.functions)[number]
  const admin = ['--functions-url', internalUrl, '--insights-url', areas.insights.internalUrl]
  await onward(['login', url, '--area-b-url', areas.insights.url, ...admin], JSON.stringify(keys))
})

afterAll(async () => {
  await areas.close()
  await rm(home, { recursive: true })
})

function start(args: readonly string[]) {
  const command = ['--conditions=source', '--import', 'tsx', 'packages/cli/src/main.ts', ...args, '--json']
  const child = spawn(process.execPath, command, { env: { PATH: process.env.PATH, HOME: home } })
  const printed = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (printed.out += chunk))
  child.stderr.on('data', (chunk) => (printed.err += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, printed, ended }
}

/** Runs a command in a separate process, and returns the document that it prints. */
async function onward(args: readonly string[], stdin = ''): Promise<Record<string, unknown>> {
  const { child, printed, ended } = start(args)
  child.stdin.end(stdin)
  expect([await ended, printed.err.includes('error')]).toEqual([0, false])
  return JSON.parse(printed.out)
}

const AS_USER = ['--user', USER_ID]

describe('the command line against both services', () => {
  it('calls a function, finds the call, and shows the task', async () => {
    const called = await onward(['call', 'addressbook-get-contact', '-f', 'contact_id:=1', ...AS_USER])
    expect(called).toMatchObject({ network_code: 200, output: { id: 1, name: 'Ada' } })
    expect(await onward(['calls', 'find', String(called.call_id), ...AS_USER])).toMatchObject({ function_name: 'addressbook-get-contact' })
    await onward(['limits', 'set', '7', ...AS_USER])
    await eventually(async () => expect(await onward(['usage', USER_ID])).toMatchObject({ tasks_consumed: 1, current_limit: 7 }), 60_000)
  })

  it('forwards a webhook to a program of this machine, and deletes the subscription at Ctrl-C', async () => {
    const program = await openScriptedServer()
    const { child, printed, ended } = start(['listen', '--forward-to', `${program.url}/hooks`])
    await eventually(() => expect(printed.out).toContain('\n'))
    const { subscription_id: id } = JSON.parse(printed.out)
    await onward(['subscriptions', 'test', id])
    await eventually(() => expect(program.received).toMatchObject([{ url: '/hooks', headers: { 'onward-test': 'true' } }]))
    await eventually(async () => expect(await onward(['deliveries', 'list', id])).toMatchObject({ deliveries: [{ status: 'delivered' }] }))
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    await program.close()
    const { code, err } = await failed(['subscriptions', 'get', id])
    expect([code, err]).toEqual([1, expect.stringContaining('error: there is no such subscription')])
  })

  it('exports the audit log of both services in one order', async () => {
    const { printed, ended } = start(['audit', 'export', '--actor', 'ADMIN_TOKEN'])
    expect(await ended).toBe(0)
    const entries = printed.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry & { service: string })
    const put = ({ service, action, outcome }: (typeof entries)[number]) => [service, action, outcome]
    expect(entries.map(put)).toEqual(
      expect.arrayContaining([
        ['functions', 'application.change', 'done'],
        ['insights', 'workspace.change', 'done'],
      ]),
    )
    expect(entries.map(({ id }) => id)).toEqual(
      entries
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
  })

  it('deletes the workspace with its application, and then nothing works any more', async () => {
    expect(await onward(['workspace', 'delete', 'w', '--force', '--yes'])).toMatchObject({ deleted: true, applications: [APP_KEY] })
    expect((await failed(['call', 'addressbook-get-contact', '-f', 'contact_id:=1', ...AS_USER])).code).toBe(4)
    expect((await failed(['usage', USER_ID])).code).toBe(4)
    expect(await onward(['workspace', 'list'])).toEqual({ workspaces: [] })
  })
})

async function failed(args: readonly string[]) {
  const { printed, ended } = start(args)
  return { code: await ended, err: printed.err }
}
