import { IMITATIONS } from '../src/sandbox/sandbox.ts'
import { type Caller, useSandbox } from './use-sandbox.ts'

const sandbox = useSandbox()
let call: Caller

beforeAll(async () => {
  call = await sandbox.newUser(...Object.keys(IMITATIONS))
})

const REPO = { owner: 'example-org', repo: 'web' }
/** Returns the value of a field of the first item that a function lists. */
const first =
  (name: string, field = 'id', args: object = {}) =>
  async () =>
    (await call(name, args)).output[0][field] as string
const message = async () => (await call('slack-post-message', { channel: 'general', text: 'hello' })).output.ts as string

/** Arguments of each imitated function. A function in them is called first. */
const CALLS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'slack-get-current-user': {},
  'slack-post-message': { channel: 'C001', text: 'The release is out', blocks: [{ type: 'divider' }] },
  'slack-update-message': { channel: 'general', ts: message, text: 'edited' },
  'slack-delete-message': { channel: 'general', ts: message },
  'slack-list-conversations': { types: ['public_channel', 'private_channel', 'im'], exclude_archived: true },
  'slack-list-messages': { channel: 'general', oldest: '1' },
  'slack-list-replies': { channel: 'general', ts: message },
  'slack-create-channel': { name: 'launch', is_private: true },
  'slack-invite-to-channel': { channel: 'support', users: 'U003, U005' },
  'slack-open-conversation': { users: 'U002,U003' },
  'slack-list-users': {},
  'slack-find-user-by-email': { email: 'ada@example.com' },
  'slack-add-reaction': { channel: 'general', timestamp: message, emoji: 'tada' },
  'slack-search-messages': { query: 'invoice in:#finance from:@ada', sort: 'timestamp' },
  'github-get-current-user': {},
  'github-list-repositories': { visibility: 'public', sort: 'full_name' },
  'github-search-repositories': { query: 'api language:go stars:>10' },
  'github-list-issues': { ...REPO, labels: ['bug'], sort: 'updated', assignee: 'none' },
  'github-get-issue': { ...REPO, issue_number: 1 },
  'github-create-issue': { ...REPO, title: 'The footer overlaps', labels: ['bug'], assignees: ['ada-ashgrove'] },
  'github-update-issue': { ...REPO, issue_number: 2, title: 'A dark theme', state: 'closed', state_reason: 'not_planned' },
  'github-comment-on-issue': { ...REPO, issue_number: 1, body: 'A fix is on its way.' },
  'github-list-pull-requests': { ...REPO, base: 'main' },
  'github-search-issues': { query: 'login is:issue is:open repo:example-org/web' },
  'github-get-pull-request': { ...REPO, pull_number: 6 },
  'github-create-pull-request': { ...REPO, title: 'Next', head: 'next', base: 'main' },
  'github-merge-pull-request': { ...REPO, pull_number: 5, merge_method: 'squash' },
  'github-list-branches': REPO,
  'hubspot-get-account': {},
  'hubspot-create-contact': { email: 'ada@example.com', first_name: 'Ada', owner_id: '71' },
  'hubspot-get-contact': { contact_id: first('hubspot-list-contacts'), properties: ['lifecyclestage'] },
  'hubspot-update-contact': { contact_id: first('hubspot-list-contacts'), properties: { phone: '+1-202-555-0199' } },
  'hubspot-list-contacts': { properties: ['lifecyclestage'] },
  'hubspot-search-contacts': { query: 'dmitri' },
  'hubspot-add-contact-note': { contact_id: first('hubspot-list-contacts'), note: 'We spoke.', timestamp: '2026-11-01T10:00:00Z' },
  'hubspot-list-companies': {},
  'hubspot-create-company': { name: 'Initech', domain: 'initech.example' },
  'hubspot-list-deals': {},
  'hubspot-create-deal': { name: 'Acme', stage: 'qualifiedtobuy', amount: '1500.00' },
  'hubspot-update-deal': { deal_id: first('hubspot-list-deals'), stage: 'closedwon' },
  'hubspot-list-owners': { email: 'ada@example.com' },
  'hubspot-list-deal-pipelines': {},
  'gmail-get-profile': {},
  'gmail-list-messages': { query: 'from:ada is:unread', label_ids: ['INBOX', 'UNREAD'] },
  'gmail-get-message': { message_id: first('gmail-list-messages'), format: 'metadata', metadata_headers: ['Subject'] },
  'gmail-send-message': { to: ['ada@example.com', 'Bruno <bruno@example.com>'], subject: 'Friday', text: 'It moved.' },
  'gmail-send-mime-message': { message: 'To: ada@example.com\nCc: priya@example.com\nSubject: Hi\n\nHello' },
  'gmail-create-draft': { to: ['ada@example.com'], subject: 'Heating', text: 'It is cold.' },
  'gmail-list-drafts': { query: 'heating' },
  'gmail-send-draft': { draft_id: first('gmail-list-drafts') },
  'gmail-list-threads': { query: 'subject:budget' },
  'gmail-get-thread': { thread_id: first('gmail-list-threads') },
  'gmail-get-attachment': { message_id: first('gmail-list-messages', 'id', { query: 'has:attachment' }), attachment_id: 'attachment-1' },
  'gmail-change-message-labels': { message_id: first('gmail-list-messages'), remove_label_ids: ['UNREAD'] },
  'gmail-change-thread-labels': { thread_id: first('gmail-list-threads'), add_label_ids: ['Label_1'] },
  'gmail-trash-message': { message_id: first('gmail-list-messages') },
  'gmail-list-labels': {},
  'gmail-create-label': { name: 'Receipts' },
  'stripe-get-account': {},
  'stripe-get-balance': {},
  'stripe-create-customer': { name: 'Ada', email: 'ada@example.com', address: { city: 'Lisbon' }, metadata: { plan: 'pro' } },
  'stripe-get-customer': { customer_id: first('stripe-list-customers') },
  'stripe-list-customers': { created_after: 1 },
  'stripe-search-customers': { query: "name:'carrowby' AND metadata['plan']:'pro'" },
  'stripe-list-invoices': { status: 'open', customer: first('stripe-list-invoices', 'customer', { status: 'open' }) },
  'stripe-create-invoice': { customer: first('stripe-list-customers'), collection_method: 'send_invoice', days_until_due: 14 },
  'stripe-add-invoice-item': { customer: first('stripe-list-customers'), amount: 5_000, currency: 'eur', description: 'Setup' },
  'stripe-send-invoice': { invoice_id: first('stripe-list-invoices', 'id', { status: 'draft' }) },
  'stripe-list-payments': {},
  'stripe-create-refund': { payment_intent: first('stripe-list-payments'), amount: 100, reason: 'duplicate' },
  'stripe-list-subscriptions': { status: 'active' },
  'stripe-cancel-subscription': { subscription_id: first('stripe-list-subscriptions'), comment: 'Too expensive' },
  'stripe-list-products': { active: true },
  'stripe-list-prices': { active: true },
  'stripe-create-payment-link': { price: first('stripe-list-prices'), redirect_url: 'https://example.com/thanks' },
}

describe('the sandbox', () => {
  it('imitates the functions that this test calls', () => {
    const imitated = Object.entries(IMITATIONS).flatMap(([app, { functions }]) => Object.keys(functions).map((name) => `${app}-${name}`))
    expect(new Set(imitated)).toEqual(new Set(Object.keys(CALLS)))
  })

  it.each(Object.entries(CALLS))('answers %s', async (name, given) => {
    const args: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(given)) args[key] = typeof value === 'function' ? await value() : value
    const { network_code, output, meta } = await call(name, args)
    expect({ success: network_code >= 200 && network_code < 300, meta, output }).toMatchObject({ success: true, meta: undefined })
    if (Array.isArray(output)) expect(output).not.toEqual([])
  })

  it('has answered everything in the shapes that the app files declare', () => {
    expect(sandbox.log()).not.toContain('declared shape')
  })
})
