import type { Delivery, DeliveryStatus, EventName } from '@onward/client'
import { eventWebhooks } from '@onward/contract'
import { type Command, Option } from 'commander'
import { parseHours, wholeNumberParser } from '../arguments.ts'
import { insightsOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { confirmOnTerminal } from '../prompt.ts'
import { type GlobalOptions, hint, showList, showOne, type Terminal, UsageError } from '../terminal.ts'

/** The help of `--events`. */
export const EVENTS_HELP = `user_tasks_limit_ and a percentage from 1 to 100, ${Object.keys(eventWebhooks).join(', ')}`

const COLUMNS = ['subscription_id', 'status', 'events', 'callback_url', 'failing_since', 'created_at']

export function addSubscriptionsCommands(subscriptions: Command, terminal: Terminal): void {
  const open = async (asked: GlobalOptions) => (await insightsOf(terminal, asked, 'workspace')).subscriptions

  subscriptions
    .command('list')
    .description('List subscriptions, newest first.')
    .option('--limit <n>', 'maximum number of subscriptions', wholeNumberParser(1), 100)
    .action(async (_: unknown, command: Command) => {
      const asked = command.optsWithGlobals<GlobalOptions & { limit: number }>()
      const found = await (await open(asked)).list().toArray({ limit: asked.limit })
      showList(terminal, asked, { subscriptions: found }, 'subscriptions', COLUMNS)
    })

  subscriptions
    .command('create')
    .description('Subscribe a callback URL to events such as user_tasks_limit_80. The signing secret is shown once.')
    .argument('<callback_url>')
    .requiredOption('--events <events...>', EVENTS_HELP)
    .action(async (callbackUrl: string, _: unknown, command: Command) => {
      // Insights refuses a name that is no event.
      const asked = command.optsWithGlobals<GlobalOptions & { events: EventName[] }>()
      showOne(terminal, asked, await (await open(asked)).create({ events: asked.events, callbackUrl }))
      hint(terminal, 'Store signing_secret now. It is not shown again.')
    })

  const one = (name: string, description: string) =>
    subscriptions.command(name).description(description).argument('<subscription_id>', 'id from "subscriptions list"')

  one('get', 'Show a subscription with the numbers of its deliveries.').action(async (id: string, _: unknown, command: Command) => {
    const asked = command.optsWithGlobals<GlobalOptions>()
    showOne(terminal, asked, await (await open(asked)).get(id))
  })

  one('update', 'Change the callback URL or the events of a subscription. Pending deliveries go to the new URL.')
    .option('--callback-url <url>', 'the new callback URL')
    .option('--events <events...>', `all events from now on: ${EVENTS_HELP}`)
    .action(async (id: string, change: { callbackUrl?: string; events?: EventName[] }, command: Command) => {
      if (change.callbackUrl === undefined && change.events === undefined) {
        throw new UsageError('nothing to change: give --callback-url, --events, or both')
      }
      const asked = command.optsWithGlobals<GlobalOptions>()
      showOne(terminal, asked, await (await open(asked)).update(id, change))
    })

  one('delete', 'Delete a subscription. Its pending deliveries are not sent.')
    .option('--yes', 'do not ask')
    .action(async (id: string, { yes }: { yes?: true }, command: Command) => {
      const asked = command.optsWithGlobals<GlobalOptions>()
      const found = await open(asked)
      await confirmOnTerminal(terminal, id, yes)
      await found.delete(id)
      showOne(terminal, asked, { subscription_id: id, deleted: true })
    })

  one('disable', 'Disable a subscription. Nothing more is sent to it.').action(async (id: string, _: unknown, command: Command) => {
    const asked = command.optsWithGlobals<GlobalOptions>()
    showOne(terminal, asked, await (await open(asked)).disable(id))
  })

  one('enable', 'Enable a disabled subscription again.').action(async (id: string, _: unknown, command: Command) => {
    const asked = command.optsWithGlobals<GlobalOptions>()
    showOne(terminal, asked, await (await open(asked)).enable(id))
  })

  one('rotate-secret', 'Create a new signing secret. The previous one signs webhooks too, for up to 24 hours.')
    .option('--keep-previous-hours <hours>', 'how long the previous secret signs too', parseHours)
    .action(async (id: string, { keepPreviousHours }: { keepPreviousHours?: number }, command: Command) => {
      const asked = command.optsWithGlobals<GlobalOptions>()
      showOne(terminal, asked, await (await open(asked)).rotateSecret(id, { keepPreviousHours }))
      hint(terminal, 'Store signing_secret now. It is not shown again.')
    })

  one('test', 'Send a webhook with invented figures.').action(async (id: string, _: unknown, command: Command) => {
    const asked = command.optsWithGlobals<GlobalOptions>()
    showOne(terminal, asked, await (await open(asked)).test(id))
  })

  addExamples(subscriptions, [
    'onward subscriptions create https://example.com/hooks --events user_tasks_limit_80 user_tasks_limit_100',
    'onward subscriptions create https://example.com/hooks --events account_connected account_reconnect_required',
    'onward subscriptions update 0199a0b2-0000-7000-8000-000000000000 --callback-url https://example.com/hooks/v2',
    'onward subscriptions list --json',
    'onward subscriptions test 0199a0b2-0000-7000-8000-000000000000',
  ])
}

export function addDeliveriesCommands(deliveries: Command, terminal: Terminal): void {
  deliveries
    .command('list')
    .description('List the deliveries of a subscription with their last attempt, newest first.')
    .argument('<subscription_id>', 'id from "subscriptions list"')
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(['pending', 'delivered', 'failed']))
    .option('--limit <n>', 'maximum number of deliveries', wholeNumberParser(1), 50)
    .action(async (id: string, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<GlobalOptions & { status?: DeliveryStatus; limit: number }>()
      const { subscriptions } = await insightsOf(terminal, asked, 'workspace')
      const found = await subscriptions.deliveries(id, { status: asked.status }).toArray({ limit: asked.limit })
      const shown = asked.json ? found : found.map(withLastAttempt)
      showList(terminal, asked, { deliveries: shown }, 'deliveries', [
        'delivery_id',
        'event_name',
        'user_id',
        'status',
        'attempts',
        'last_answer',
        'created_at',
      ])
    })

  deliveries
    .command('replay')
    .description('Send a delivery again at once, with the same id and bytes.')
    .argument('<delivery_id>', 'id from "deliveries list"')
    .action(async (id: string, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<GlobalOptions>()
      showOne(terminal, asked, await (await insightsOf(terminal, asked, 'workspace')).deliveries.replay(id))
    })
  addExamples(deliveries, [
    'onward deliveries list 0199a0b2-0000-7000-8000-000000000000 --status failed',
    'onward deliveries replay 0199a0b2-0000-7000-8000-000000000001',
  ])
}

/** Replaces the attempts by their number and the result of the last one, for a table. */
function withLastAttempt(delivery: Delivery) {
  const last = [...delivery.attempts].sort((one, other) => one.number - other.number).at(-1)
  return { ...delivery, attempts: last?.number ?? 0, last_answer: last?.status ?? last?.failure }
}
