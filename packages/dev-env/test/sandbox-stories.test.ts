import { type Caller, useSandbox } from './use-sandbox.ts'

const sandbox = useSandbox()
const REPO = { owner: 'example-org', repo: 'web' }

/** Returns the items of all pages, and the number of pages. */
async function allPages(call: Caller, name: string, args: object) {
  const items: unknown[] = []
  let pages = 0
  let cursor: Awaited<ReturnType<Caller>>['_cursor']
  do {
    const page = await call(name, args, cursor)
    items.push(...page.output)
    cursor = page._cursor
    pages += 1
  } while (cursor != null && pages < 100)
  return { items, pages }
}

describe('imitated Slack', () => {
  it('shows a posted message, its thread and its reactions to whoever reads the channel', async () => {
    const call = await sandbox.newUser('slack')
    const { output: posted } = await call('slack-post-message', { channel: '#general', text: 'The release is out' })
    await call('slack-post-message', { channel: posted.channel, text: 'Congratulations', thread_ts: posted.ts })
    await call('slack-add-reaction', { channel: posted.channel, timestamp: posted.ts, emoji: 'tada' })
    await call('slack-update-message', { channel: posted.channel, ts: posted.ts, text: 'Release 2.4 is out' })
    const { output: messages } = await call('slack-list-messages', { channel: posted.channel })
    const reactions = [{ name: 'tada', count: 1, users: ['U001'] }]
    expect(messages[0]).toMatchObject({ ts: posted.ts, text: 'Release 2.4 is out', reply_count: 1, reactions })
    const { output: thread } = await call('slack-list-replies', { channel: posted.channel, ts: posted.ts })
    expect(thread.map(({ text }: { text: string }) => text)).toEqual(['Release 2.4 is out', 'Congratulations'])
    const { output: found } = await call('slack-search-messages', { query: 'release from:@me in:#general' })
    expect(found).toMatchObject([{ ts: posted.ts, username: 'joe', channel: { name: 'general' } }])
    await call('slack-delete-message', { channel: posted.channel, ts: posted.ts })
    expect((await call('slack-search-messages', { query: '"release 2.4" from:@me' })).output).toEqual([])
  })

  it('creates a channel once, and sends direct messages', async () => {
    const call = await sandbox.newUser('slack')
    const { output: created } = await call('slack-create-channel', { name: 'launch' })
    expect(await call('slack-create-channel', { name: 'launch' })).toMatchObject({ output: { ok: false, error: 'name_taken' } })
    const { output: ada } = await call('slack-find-user-by-email', { email: 'ada@example.com' })
    expect((await call('slack-invite-to-channel', { channel: created.id, users: ada.id })).output.num_members).toBe(2)
    const { output: direct } = await call('slack-open-conversation', { users: ada.id })
    const { output: posted } = await call('slack-post-message', { channel: ada.id, text: 'Hi Ada' })
    expect(posted.channel).toBe(direct.id)
    const { output: own } = await call('slack-list-conversations', { types: ['im'] })
    expect(own.map(({ id }: { id: string }) => id)).toEqual([direct.id])
  })
})

describe('imitated GitHub', () => {
  it('finds a created issue, changes it and closes it', async () => {
    const call = await sandbox.newUser('github')
    const { output: created } = await call('github-create-issue', { ...REPO, title: 'The footer overlaps', labels: ['bug'] })
    const { number: issue_number } = created
    await call('github-comment-on-issue', { ...REPO, issue_number, body: 'I look at it.' })
    await call('github-update-issue', { ...REPO, issue_number, assignees: ['ada-ashgrove'] })
    const { output: open } = await call('github-list-issues', { ...REPO, labels: ['bug'], assignee: 'ada-ashgrove' })
    expect(open).toMatchObject([{ number: issue_number, comments: 1, assignee: { login: 'ada-ashgrove' }, labels: [{ name: 'bug' }] }])
    await call('github-update-issue', { ...REPO, issue_number, state: 'closed' })
    const query = 'footer is:issue is:closed repo:example-org/web -label:documentation'
    const { output: found } = await call('github-search-issues', { query })
    expect(found).toMatchObject([{ number: issue_number, state: 'closed', closed_by: { login: 'joe-example' } }])
  })

  it('opens a pull request once, and merges it once', async () => {
    const call = await sandbox.newUser('github')
    const wanted = { ...REPO, title: 'Next', head: 'next', base: 'main' }
    const { output: created } = await call('github-create-pull-request', wanted)
    expect(await call('github-create-pull-request', wanted)).toMatchObject({ network_code: 422 })
    expect(await call('github-create-pull-request', { ...wanted, head: 'nowhere' })).toMatchObject({ network_code: 422 })
    const at = { ...REPO, pull_number: created.number }
    await call('github-merge-pull-request', at)
    expect((await call('github-get-pull-request', at)).output).toMatchObject({ merged: true, state: 'closed', head: { ref: 'next' } })
    expect(await call('github-merge-pull-request', at)).toMatchObject({ network_code: 405 })
    const { output: open } = await call('github-list-pull-requests', REPO)
    expect(open.map(({ title }: { title: string }) => title)).toEqual(['Dark theme, first part', 'Keep the session in a cookie'])
  })
})

describe('imitated HubSpot', () => {
  it('finds a created contact, changes it and takes a note', async () => {
    const call = await sandbox.newUser('hubspot')
    const ada = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', job_title: 'Analyst' }
    const { output: created } = await call('hubspot-create-contact', ada)
    expect(await call('hubspot-create-contact', ada)).toMatchObject({ network_code: 409, output: { category: 'CONFLICT' } })
    await call('hubspot-update-contact', { contact_id: created.id, properties: { phone: '+1-202-555-0199' } })
    const { output: found } = await call('hubspot-search-contacts', { email: 'ada@example.com', properties: ['jobtitle'] })
    expect(found).toMatchObject([{ id: created.id, properties: { lastname: 'Lovelace', jobtitle: 'Analyst', phone: '+1-202-555-0199' } }])
    const note = { contact_id: created.id, note: 'We spoke.', timestamp: '2026-11-01T10:00:00Z' }
    expect(await call('hubspot-add-contact-note', note)).toMatchObject({ network_code: 201 })
    expect(await call('hubspot-add-contact-note', { ...note, contact_id: '1' })).toMatchObject({ network_code: 404 })
  })

  it('moves a deal to a stage that its pipeline has', async () => {
    const call = await sandbox.newUser('hubspot')
    const { output: deal } = await call('hubspot-create-deal', { name: 'Acme', stage: 'qualifiedtobuy', amount: '1500' })
    await call('hubspot-update-deal', { deal_id: deal.id, stage: 'closedwon' })
    expect(await call('hubspot-update-deal', { deal_id: deal.id, stage: 'lost in space' })).toMatchObject({ network_code: 400 })
    const { output: deals } = await call('hubspot-list-deals')
    expect(deals.at(-1)).toMatchObject({ id: deal.id, properties: { dealname: 'Acme', dealstage: 'closedwon', pipeline: 'default' } })
  })
})

describe('imitated Gmail', () => {
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)

  it('sends a message that the searches find and the thread of a reply contains', async () => {
    const call = await sandbox.newUser('gmail')
    const attachments = [{ base64: 'YQ==', name: 'plän.pdf', content_type: 'application/pdf' }]
    const mail = { to: ['ada@example.com'], subject: 'The plan', text: 'It works — at last.' }
    const { output: sent } = await call('gmail-send-message', { ...mail, attachments })
    const { output: found } = await call('gmail-list-messages', {
      query: 'to:ada subject:"the plan" newer_than:1d has:attachment -is:unread',
    })
    expect(ids(found)).toEqual([sent.id])
    const { output: full } = await call('gmail-get-message', { message_id: sent.id })
    const [first, second] = full.payload.parts
    expect([Buffer.from(first.body.data, 'base64url').toString(), second.filename]).toEqual(['It works — at last.', 'plän.pdf'])
    const in_reply_to = full.payload.headers.find(({ name }: { name: string }) => name === 'Message-ID').value
    const answer = { thread_id: sent.threadId, in_reply_to, to: ['joe@example.com'], subject: 'Re: The plan', text: 'Great!' }
    const { output: replied } = await call('gmail-reply-to-message', answer)
    expect(replied.labelIds).toEqual(['SENT', 'INBOX', 'UNREAD'])
    expect(ids((await call('gmail-get-thread', { thread_id: sent.threadId })).output.messages)).toEqual([sent.id, replied.id])
    expect((await call('gmail-list-threads', { query: 'great' })).output).toMatchObject([{ id: sent.threadId, snippet: 'Great!' }])
  })

  it('marks messages as read, labels them and puts them into the trash', async () => {
    const call = await sandbox.newUser('gmail')
    const unread = async () => ids((await call('gmail-list-messages', { query: 'is:unread from:bruno' })).output)
    const [message_id = ''] = await unread()
    const { output: label } = await call('gmail-create-label', { name: 'To do' })
    await call('gmail-change-message-labels', { message_id, add_label_ids: [label.id], remove_label_ids: ['UNREAD'] })
    expect(await unread()).toEqual([])
    expect(ids((await call('gmail-list-messages', { query: 'label:"to do"' })).output)).toEqual([message_id])
    await call('gmail-trash-message', { message_id })
    expect((await call('gmail-list-messages', { query: 'label:"to do"' })).output).toEqual([])
    expect(ids((await call('gmail-list-messages', { query: 'in:trash' })).output)).toEqual([message_id])
    const unknown = await call('gmail-change-message-labels', { message_id, add_label_ids: ['Label_99'] })
    expect(unknown).toMatchObject({ network_code: 400, output: { error: { status: 'INVALID_ARGUMENT' } } })
  })

  it('sends a draft once', async () => {
    const call = await sandbox.newUser('gmail')
    const { output: draft } = await call('gmail-create-draft', { to: ['ada@example.com'], subject: 'Heating', text: 'It is cold.' })
    expect(ids((await call('gmail-list-drafts')).output)).toEqual([draft.id])
    expect((await call('gmail-send-draft', { draft_id: draft.id })).output).toMatchObject({ labelIds: ['SENT'] })
    expect(await call('gmail-send-draft', { draft_id: draft.id })).toMatchObject({ network_code: 404 })
    expect((await call('gmail-list-drafts')).output).toEqual([])
  })
})

describe('imitated Stripe', () => {
  it('drafts an invoice of a new customer, adds items and sends it', async () => {
    const call = await sandbox.newUser('stripe')
    const { output: customer } = await call('stripe-create-customer', { email: 'ada@example.com', name: 'Ada', metadata: { plan: 'pro' } })
    const query = "name:'ada' AND metadata['plan']:'pro'"
    expect((await call('stripe-search-customers', { query })).output).toMatchObject([{ id: customer.id }])
    const terms = { customer: customer.id, collection_method: 'send_invoice', days_until_due: 14 }
    const { output: invoice } = await call('stripe-create-invoice', terms)
    const item = { customer: customer.id, invoice: invoice.id, currency: 'eur' }
    for (const amount of [5_000, -500]) await call('stripe-add-invoice-item', { ...item, amount })
    await call('stripe-send-invoice', { invoice_id: invoice.id })
    const { output: open } = await call('stripe-list-invoices', { customer: customer.id })
    expect(open).toMatchObject([{ id: invoice.id, status: 'open', total: 4_500, customer_email: 'ada@example.com' }])
    const late = await call('stripe-add-invoice-item', { ...item, amount: 1 })
    expect(late).toMatchObject({ network_code: 400, output: { error: { code: 'invoice_not_editable' } } })
  })

  it('refunds a payment at most in full, and takes the money from the balance', async () => {
    const call = await sandbox.newUser('stripe')
    const available = async () => (await call('stripe-get-balance')).output.available[0].amount
    const before = await available()
    const [{ id: payment_intent, amount }] = (await call('stripe-list-payments')).output
    await call('stripe-create-refund', { payment_intent, amount: 100 })
    expect((await call('stripe-create-refund', { payment_intent })).output).toMatchObject({ amount: amount - 100, status: 'succeeded' })
    expect(await call('stripe-create-refund', { payment_intent })).toMatchObject({ network_code: 400 })
    expect(await available()).toBe(before - amount)
  })

  it('no longer lists a canceled subscription, unless asked for', async () => {
    const call = await sandbox.newUser('stripe')
    const [{ id: subscription_id }, ...others] = (await call('stripe-list-subscriptions')).output
    await call('stripe-cancel-subscription', { subscription_id })
    expect((await call('stripe-list-subscriptions')).output).toHaveLength(others.length)
    expect((await call('stripe-list-subscriptions', { status: 'canceled' })).output).toMatchObject([{ id: subscription_id }])
  })
})

describe('the sandbox', () => {
  it.each([
    ['slack', 'slack-list-messages', { channel: 'C001', limit: 1 }, 'ts'],
    ['slack', 'slack-search-messages', { query: 'the', count: 2 }, 'ts'],
    ['github', 'github-list-issues', { ...REPO, per_page: 2 }, 'number'],
    ['github', 'github-search-issues', { query: 'is:open', per_page: 2 }, 'id'],
    ['hubspot', 'hubspot-list-contacts', { limit: 4 }, 'id'],
    ['hubspot', 'hubspot-search-contacts', { query: 'example', limit: 4 }, 'id'],
    ['gmail', 'gmail-list-messages', { max_results: 2 }, 'id'],
    ['stripe', 'stripe-list-customers', { limit: 5 }, 'id'],
    ['stripe', 'stripe-search-customers', { query: "email~'example'", limit: 5 }, 'id'],
  ])('returns every item on one page: %s %s', async (app, name, args, id) => {
    const call = await sandbox.newUser(app)
    const { items, pages } = await allPages(call, name, args)
    const { output: whole } = await call(name, {
      ...args,
      ...Object.fromEntries(
        Object.keys(args)
          .slice(-1)
          .map((size) => [size, 100]),
      ),
    })
    const idsOf = (list: readonly unknown[]) => list.map((item) => (item as Record<string, unknown>)[id])
    expect(pages).toBeGreaterThan(1)
    expect(new Set(idsOf(items)).size).toBe(items.length)
    expect(idsOf(items)).toEqual(idsOf(whole))
  })

  it.each([
    ['slack', 'slack-list-messages', { channel: 'nowhere' }, 200, { ok: false, error: 'channel_not_found' }],
    ['slack', 'slack-delete-message', { channel: 'general', ts: '1.2' }, 200, { error: 'message_not_found' }],
    ['github', 'github-get-issue', { ...REPO, issue_number: 999 }, 404, { message: 'Not Found', status: '404' }],
    ['hubspot', 'hubspot-get-contact', { contact_id: '1' }, 404, { status: 'error', category: 'OBJECT_NOT_FOUND' }],
    ['gmail', 'gmail-get-message', { message_id: 'x' }, 404, { error: { code: 404, status: 'NOT_FOUND' } }],
    ['stripe', 'stripe-get-customer', { customer_id: 'cus_1' }, 404, { error: { code: 'resource_missing' } }],
  ])('reports an error as the app does: %s %s', async (app, name, args, status, output) => {
    const call = await sandbox.newUser(app)
    const failed = await call(name, args)
    expect(failed).toMatchObject({ network_code: status, output })
    if (status === 200) expect(failed.meta).toMatchObject({ app_error: true })
  })

  it('says in the format of the app what it imitates, if it does not have a function', async () => {
    const call = await sandbox.newUser('slack', 'stripe')
    const { output } = await call('slack-passthrough-request', { method: 'GET', url: '/team.info' })
    expect(output).toMatchObject({ ok: false, error: 'unknown_method', detail: expect.stringMatching(/imitation of Slack.*post-message/) })
    const { output: other } = await call('stripe-passthrough-request', { method: 'GET', url: '/v1/payouts' })
    expect(other.error.message).toMatch(/^This is the sandbox's imitation of Stripe. It has no GET \/v1\/payouts; it has add-invoice-item,/)
  })

  it('keeps the objects of accounts apart, and stores them without the tokens', async () => {
    const [joe, ann] = [await sandbox.newUser('slack'), await sandbox.newUser('slack')]
    await joe('slack-create-channel', { name: 'launch' })
    await sandbox.restart()
    const names = async (call: Caller) => (await call('slack-list-conversations')).output.map(({ name }: { name: string }) => name)
    expect(await names(joe)).toEqual(['general', 'engineering', 'support', 'random', 'launch'])
    expect(await names(ann)).toEqual(['general', 'engineering', 'support', 'random'])
    expect(sandbox.stored()).toContain('launch')
    expect(sandbox.stored()).not.toContain('token-of-')
  })

  it.each([
    [
      '/api.notion.com/v1/users',
      { authorization: 'Bearer t' },
      404,
      /which imitates Slack, GitHub, HubSpot, Gmail, Stripe, but not api.notion.com/,
    ],
    ['/api.github.com/user', {}, 401, /Send an access token/],
    ['/slack.com/api/conversations.history', { authorization: 'Bearer t' }, 200, /channel is required/],
  ])('explains a request that it cannot serve: %s', async (path, headers, status, text) => {
    const response = await fetch(`${sandbox.sandboxUrl}${path}`, { headers })
    expect({ status: response.status, text: await response.text() }).toEqual({ status, text: expect.stringMatching(text) })
  })
})
