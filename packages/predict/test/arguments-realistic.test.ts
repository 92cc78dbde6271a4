import { predictArguments } from '../src/index.ts'
import { builtIn, fillableOf } from './fillable.ts'

/** A Monday. */
const asking = { variables: null, now: new Date('2026-11-23T09:00:00Z'), timeZone: 'UTC' }

/** What the prompt gives to one parameter of a built-in function; undefined: nothing. */
const cases: [name: string, parameter: string, prompt: string, expected: unknown][] = [
  ['stripe-create-refund', 'payment_intent', 'refund $20 of pi_3MtwBwLkdIwHu7ix because it was a duplicate', 'pi_3MtwBwLkdIwHu7ix'],
  ['stripe-add-invoice-item', 'amount', 'add 49.99 USD for consulting to customer cus_123abc', 4999],
  ['stripe-add-invoice-item', 'amount', 'add ¥500 for consulting to customer cus_123abc', 500],
  ['stripe-add-invoice-item', 'amount', 'add an amount of 4999 in usd to customer cus_123abc', 4999],
  ['stripe-add-invoice-item', 'currency', 'add 49.99 USD for consulting to customer cus_123abc', 'usd'],
  ['paypal-create-order', 'amount', 'Create an order with the amount $25.50', '25.50'],
  ['hubspot-create-company', 'city', 'new company Globex in Germany, domain globex.de', undefined],
  ['google-calendar-create-event', 'send_updates', 'Create an all-day event Team offsite on 14 December 2026', undefined],
  ['google-calendar-create-event', 'start', 'add "Dentist" to my calendar next Monday 9am, at 12 High Street', '2026-11-30T09:00:00Z'],
  [
    'google-calendar-create-event',
    'attendees',
    'Book a meeting "Design review" on Thursday with bob@example.com and eve@example.com',
    [{ email: 'bob@example.com' }, { email: 'eve@example.com' }],
  ],
  [
    'outlook-mail-send-message',
    'to_recipients',
    'Send an email to team@example.com, subject "Outage", content "We are down."',
    [{ emailAddress: { address: 'team@example.com' } }],
  ],
  ['github-comment-on-issue', 'issue_number', 'comment "Thanks" on issue #42 of acme/api', 42],
  ['github-list-issues', 'assignee', 'list open bugs in acme/web assigned to octocat', 'octocat'],
  ['stripe-list-invoices', 'customer', 'list the invoices of customer cus_NffrFeUfNV2Hib', 'cus_NffrFeUfNV2Hib'],
  ['paypal-list-transactions', 'start_date', 'show transactions from November 1 to November 15', '2026-11-01T00:00:00Z'],
  ['github-list-issues', 'since', 'list issues of acme/web since Friday', '2026-11-20T00:00:00Z'],
  ['asana-update-task', 'completed', 'mark task 120567 as completed', true],
  ['jira-comment-on-issue', 'comment', "comment on WEB-9 that we can't reproduce it", "we can't reproduce it"],
  ['slack-post-message', 'text', "Let the #support channel know we're back online", "we're back online"],
  ['calendly-cancel-event', 'reason', 'cancel event 9cfb482a-81e3-4154-b5b9-2c805e70a02d because I am ill', 'I am ill'],
  ['jira-log-work', 'time_spent', 'log some work on WEB-123 for code review', undefined],
]

it.each(cases)('%s: %s of %s', async (name, parameter, prompt, expected) => {
  const fn = (await catalog).fn(name)
  if (fn === undefined) throw new Error(`there is no ${name}`)
  expect(predictArguments(fillableOf(fn), { ...asking, prompt })[parameter]?.value).toEqual(expected)
})

const catalog = builtIn()
