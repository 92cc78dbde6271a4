import { describeCommands, ID } from './command-cases.ts'

const USER = ['--user', 'joe']
const usage = { user_id: 'joe', current_limit: 10, limit_period: '30', tasks_consumed: 4, tasks_remaining: 6, limit_reset_after: 12 }
const percents = { ...usage, tasks_consumed_percent: 40, tasks_remaining_percent: 60 }
const subscription = {
  subscription_id: ID,
  status: 'active',
  events: ['a', 'b'],
  callback_url: 'https://x',
  failing_since: null,
  created_at: 'T',
}
const attempts = [
  { number: 1, started_at: 'T', duration_ms: 5, status: 500, failure: null },
  { number: 2, started_at: 'T', duration_ms: 5, status: null, failure: 'timed_out' },
]
const delivery = { delivery_id: ID, event_name: 'user_tasks_limit_80', user_id: 'joe', status: 'pending', attempts, created_at: 'T' }
const secret = { subscription_id: ID, signing_secret: 'whsec_x' }
const PARTNERS = '/partners/api'
const INSIGHTS = `${PARTNERS}/insights`

describeCommands('insights', [
  {
    args: ['usage', 'joe'],
    response: usage,
    sends: ['GET', `${INSIGHTS}/users/joe/tasks/?app_key=shop`],
    prints: Object.entries(usage).map(([name, value]) => `${name.padEnd(17)}  ${value}`),
  },
  {
    args: ['usage', '--limit-reached', '--search', 'j', '--app-key', 'other'],
    response: { users: [percents], _cursor: null },
    sends: ['GET', `${INSIGHTS}/users/tasks/?app_key=other&search=j&limit_reached=true&page_size=1000`],
    prints: [
      'USER_ID  TASKS_CONSUMED  CURRENT_LIMIT  TASKS_REMAINING  TASKS_CONSUMED_PERCENT  LIMIT_RESET_AFTER',
      'joe      4               10             6                40                      12',
    ],
    json: { users: [percents] },
  },
  {
    args: ['usage', 'joe', '--history', '--since', '2026-11-01'],
    response: { user_id: 'joe', days: [{ date: '2026-11-01', tasks_consumed: 4 }] },
    sends: ['GET', `${INSIGHTS}/users/joe/tasks/history/?app_key=shop&since=2026-11-01`],
    prints: ['DATE        TASKS_CONSUMED', '2026-11-01  4'],
  },
  {
    args: ['limits', 'get', 'joe'],
    response: usage,
    sends: ['GET', `${INSIGHTS}/users/joe/tasks/?app_key=shop`],
    prints: ['user_id            joe', 'current_limit      10', 'limit_period       30', 'tasks_remaining    6', 'limit_reset_after  12'],
    json: { user_id: 'joe', current_limit: 10, limit_period: '30', tasks_remaining: 6, limit_reset_after: 12 },
  },
  {
    args: ['limits', 'set', '50', ...USER],
    response: { success: 'true' },
    sends: ['POST', `${INSIGHTS}/users/tasks/?app_key=shop`, [{ user_id: 'joe', allowed_tasks: 50 }]],
    prints: ['user_id        joe', 'current_limit  50'],
    json: { user_id: 'joe', current_limit: 50 },
  },
  {
    args: ['limits', 'set', '50', '--all'],
    response: { success: 'true' },
    sends: ['POST', `${INSIGHTS}/users/tasks-bulk/`, { tasks_limit: 50 }],
    prints: ['users          all', 'current_limit  50'],
    json: { users: 'all', current_limit: 50 },
  },
  {
    args: ['limits', 'default', '0'],
    response: { success: 'true' },
    sends: ['PATCH', `${PARTNERS}/accounts/me/`, { tasks_limit: 0 }],
    prints: ['default_limit  0'],
    json: { default_limit: 0 },
  },
  {
    args: ['subscriptions', 'list'],
    response: { subscriptions: [subscription], _cursor: null },
    sends: ['GET', `${INSIGHTS}/subscriptions/`],
    prints: [
      'SUBSCRIPTION_ID                       STATUS  EVENTS  CALLBACK_URL  FAILING_SINCE  CREATED_AT',
      `${ID}  active  a,b     https://x     -              T`,
    ],
    json: { subscriptions: [subscription] },
  },
  {
    args: ['subscriptions', 'create', 'https://x', '--events', 'user_tasks_limit_80', 'user_tasks_limit_100'],
    response: secret,
    sends: ['POST', `${INSIGHTS}/subscriptions/`, { events: ['user_tasks_limit_80', 'user_tasks_limit_100'], callback_url: 'https://x' }],
    prints: [`subscription_id  ${ID}`, 'signing_secret   whsec_x'],
    says: 'Store signing_secret now. It is not shown again.\n',
  },
  {
    args: ['subscriptions', 'get', ID],
    response: { subscription_id: ID, deliveries: { pending: 1, delivered: 2, failed: 0 } },
    sends: ['GET', `${INSIGHTS}/subscriptions/${ID}/`],
    prints: [`subscription_id  ${ID}`, 'deliveries       {"pending":1,"delivered":2,"failed":0}'],
  },
  {
    args: ['subscriptions', 'update', ID, '--callback-url', 'https://y', '--events', 'user_tasks_limit_90', 'limit_changed'],
    response: { ...subscription, callback_url: 'https://y' },
    sends: ['PATCH', `${INSIGHTS}/subscriptions/${ID}/`, { events: ['user_tasks_limit_90', 'limit_changed'], callback_url: 'https://y' }],
    prints: [
      `subscription_id  ${ID}`,
      'status           active',
      'events           a,b',
      'callback_url     https://y',
      'failing_since    -',
      'created_at       T',
    ],
    json: { ...subscription, callback_url: 'https://y' },
  },
  {
    args: ['subscriptions', 'delete', ID],
    response: { success: true },
    sends: ['DELETE', `${INSIGHTS}/subscriptions/${ID}/`],
    prints: [`subscription_id  ${ID}`, 'deleted          yes'],
    json: { subscription_id: ID, deleted: true },
  },
  {
    args: ['subscriptions', 'disable', ID],
    response: { subscription_id: ID, status: 'disabled' },
    sends: ['POST', `${INSIGHTS}/subscriptions/${ID}/disable/`],
    prints: [`subscription_id  ${ID}`, 'status           disabled'],
  },
  {
    args: ['subscriptions', 'enable', ID],
    response: { subscription_id: ID, status: 'active' },
    sends: ['POST', `${INSIGHTS}/subscriptions/${ID}/enable/`],
    prints: [`subscription_id  ${ID}`, 'status           active'],
  },
  {
    args: ['subscriptions', 'rotate-secret', ID, '--keep-previous-hours', '1.5'],
    response: { ...secret, previous_valid_until: 'T' },
    sends: ['POST', `${INSIGHTS}/subscriptions/${ID}/rotate-secret/`, { keep_previous_hours: 1.5 }],
    prints: [`subscription_id       ${ID}`, 'signing_secret        whsec_x', 'previous_valid_until  T'],
    says: 'Store signing_secret now. It is not shown again.\n',
  },
  {
    args: ['subscriptions', 'test', ID],
    response: { delivery_id: ID },
    sends: ['POST', `${INSIGHTS}/subscriptions/${ID}/test/`],
    prints: [`delivery_id  ${ID}`],
  },
  {
    args: ['deliveries', 'list', ID, '--status', 'pending'],
    response: { deliveries: [delivery], _cursor: null },
    sends: ['GET', `${INSIGHTS}/subscriptions/${ID}/deliveries/?status=pending`],
    prints: [
      'DELIVERY_ID                           EVENT_NAME           USER_ID  STATUS   ATTEMPTS  LAST_ANSWER  CREATED_AT',
      `${ID}  user_tasks_limit_80  joe      pending  2         timed_out    T`,
    ],
    json: { deliveries: [delivery] },
  },
  {
    args: ['deliveries', 'replay', ID],
    response: { delivery_id: ID },
    sends: ['POST', `${INSIGHTS}/deliveries/${ID}/replay/`],
    prints: [`delivery_id  ${ID}`],
  },
  {
    args: ['api', 'GET', '/partners/api/insights/subscriptions', '-f', 'page_size:=10'],
    response: { subscriptions: [] },
    sends: ['GET', `${INSIGHTS}/subscriptions?page_size=10`],
    prints: ['{', '  "subscriptions": []', '}'],
  },
])
