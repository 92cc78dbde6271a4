import { setTimeout as pause } from 'node:timers/promises'
import { ApiConnectionError, type OnwardInsights, RateLimitError, ServerError } from '@onward/client'
import { type Body, createListener, type EndpointShape, type ResponseOf, reportAttempt, takeDeliveries } from '@onward/contract'
import type { Command } from 'commander'
import { insightsOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, hint, printable, type Terminal, UsageError } from '../terminal.ts'
import { EVENTS_HELP } from './subscriptions.ts'

type Asked = GlobalOptions & { readonly forwardTo: string; readonly events: readonly string[] }
type Listener = ResponseOf<typeof createListener>
type Deliveries = ResponseOf<typeof takeDeliveries>
type Taken = Deliveries['deliveries'][number]
type Result = Pick<Body<typeof reportAttempt>, 'status' | 'failure' | 'duration_ms'>

const POLL_MS = 1_000
const REQUEST_TIMEOUT_MS = 10_000
/** The pauses after the first failed request for deliveries, the second, and so on. */
const PAUSES_MS = [0, 100, 1_000, 5_000]
/** The command fails after this time without a successful request, so that a supervisor can start it again. */
const GIVE_UP_MS = 60_000

export function addListenCommand(listen: Command, terminal: Terminal): void {
  listen
    .description(
      'Forward webhooks to a program on this machine until Ctrl-C, without a public address. They are signed with a separate secret, ' +
        'which is printed first. With --json, each line is a JSON document.',
    )
    .requiredOption('--forward-to <url>', 'address of the program, for example http://localhost:3000/hooks')
    .option('--events <events...>', EVENTS_HELP, ['user_tasks_limit_80', 'user_tasks_limit_100'])
    .action(async (_: unknown, command: Command) => {
      const asked = command.optsWithGlobals<Asked>()
      if (!/^https?:\/\//.test(asked.forwardTo) || !URL.canParse(asked.forwardTo))
        throw new UsageError('--forward-to must be an http or https URL')
      const insights = await insightsOf(terminal, asked, 'workspace')
      const listener = await insights.request<Listener>('POST', createListener.path, { body: { events: asked.events } })
      const stop = new AbortController()
      terminal.onInterrupt(() => stop.abort())
      const { subscription_id, signing_secret } = listener
      showLine(terminal, asked, { subscription_id, signing_secret })
      hint(terminal, `Forwarding to ${asked.forwardTo}. Ctrl-C ends it.`)
      try {
        await forwardAll(terminal, asked, insights, subscription_id, stop.signal)
      } finally {
        // If this fails, the listener expires after two minutes.
        await insights.subscriptions.delete(subscription_id).catch(() => {})
      }
    })
  addExamples(listen, [
    'onward listen --forward-to http://localhost:3000/hooks',
    'onward listen --forward-to http://localhost:3000/hooks --events user_tasks_limit_50 --json',
  ])
}

/** Takes and forwards deliveries until the signal aborts. Throws the last error after a minute without a successful request. */
async function forwardAll(terminal: Terminal, asked: Asked, insights: OnwardInsights, id: string, signal: AbortSignal): Promise<void> {
  const wait = (ms: number) => pause(ms, undefined, { signal }).catch(() => {})
  let failures = 0
  let workedAt = Date.now()
  while (!signal.aborted) {
    try {
      const options = { signal, timeout: REQUEST_TIMEOUT_MS, maxRetries: 0 }
      const { deliveries } = await insights.request<Deliveries>('POST', pathOf(takeDeliveries, id), options)
      await Promise.all(deliveries.map((each) => forward(terminal, asked, insights, id, each)))
      failures = 0
      workedAt = Date.now()
      if (deliveries.length === 0) await wait(POLL_MS)
    } catch (err) {
      if (signal.aborted) return
      const isTemporary = err instanceof ApiConnectionError || err instanceof ServerError || err instanceof RateLimitError
      if (!isTemporary || Date.now() - workedAt > GIVE_UP_MS) throw err
      if (failures === 0) hint(terminal, `${printable(err.message)}; trying again`)
      await wait(PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)] ?? 0)
    }
  }
}

async function forward(terminal: Terminal, asked: Asked, insights: OnwardInsights, id: string, delivery: Taken): Promise<void> {
  const { delivery_id, attempt, headers, body } = delivery
  const result = await post(asked.forwardTo, headers, body)
  const reported: Body<typeof reportAttempt> = { delivery_id, attempt, ...result }
  // A result that arrives twice is recorded once.
  await insights.request('POST', pathOf(reportAttempt, id), { body: reported, repeatable: true })
  const { user_id } = JSON.parse(body) as { user_id: string }
  showLine(terminal, asked, { delivery_id, event_name: headers['event-name'], user_id, attempt, ...result })
}

function pathOf({ path }: EndpointShape, id: string): string {
  return path.replace(':subscription_id', id)
}

/** Sends the same headers and bytes as a webhook. */
async function post(url: string, headers: Record<string, string>, body: string): Promise<Result> {
  const started = performance.now()
  const end = () => Math.round(performance.now() - started)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    await response.body?.cancel()
    return { status: response.status, failure: null, duration_ms: end() }
  } catch (err) {
    return { status: null, failure: (err as Error).name === 'TimeoutError' ? 'timed_out' : 'unreachable', duration_ms: end() }
  }
}

function showLine(terminal: Terminal, { json }: GlobalOptions, line: Readonly<Record<string, unknown>>): void {
  const text = Object.entries(line).flatMap(([name, value]) => (value === null ? [] : `${name}=${value}`))
  terminal.stdout.write(`${json ? JSON.stringify(line) : printable(text.join('  '))}\n`)
}
