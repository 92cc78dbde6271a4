import { fillableOf, loadBuiltIn, predictArguments } from './support.ts'

/** The current time is a Monday morning. */
const input = { variables: null, now: new Date('2026-11-23T09:00:00Z'), timeZone: 'UTC' }

/** The value that a prompt contains for one parameter of a built-in function; undefined means none. */
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
  ['stripe-add-invoice-item', 'description', 'add 20 usd for a yoga mat to customer cus_88a', 'yoga mat'],
  ['google-calendar-list-events', 'time_min', 'what was in my calendar last Wednesday', '2026-11-18T00:00:00Z'],
  ['asana-create-task', 'name', 'add a task water the plants by friday, urgent please', 'water the plants'],
  ['zendesk-create-ticket', 'subject', 'open a ticket called printer on fire, urgent please', 'printer on fire'],
  ['airtable-update-record', 'base_id', 'set Status to Done on record rec81Kd in table Orders of appX12y', 'appX12y'],
  // The name of the function's own app is not a value.
  ['github-create-issue', 'title', 'create an issue on GitHub', undefined],
  ['github-list-issues', 'owner', 'list my open issues on GitHub', undefined],
  ['jira-create-issue', 'project', 'file a bug in Jira: the page is blank', undefined],
  ['hubspot-create-company', 'name', 'log a call in HubSpot', undefined],
  ['hubspot-create-company', 'name', 'add the company Globex to HubSpot', 'Globex'],
  ['hubspot-create-contact', 'first_name', 'find the contact called Ada in HubSpot', 'Ada'],
  ['hubspot-create-contact', 'company', "add Ada to HubSpot's contacts", undefined],
  ['microsoft-teams-send-channel-message', 'team_id', 'post in Teams that the build is green', undefined],
  ['google-drive-find-files-by-name', 'name', 'search my Drive for budget', 'budget'],
  ['slack-post-message', 'text', 'tell #general on Slack that Slack will be down', 'Slack will be down'],
  ['notion-search', 'query', 'search Notion for roadmap', 'roadmap'],
  ['github-create-issue', 'title', 'create an issue on GitHub titled Login fails with GitHub', 'Login fails with GitHub'],
  // An unquoted value ends at the end of its clause.
  ['github-create-issue', 'title', 'create an issue on GitHub titled Login is broken', 'Login is broken'],
  ['github-create-issue', 'title', 'create an issue in acme/web titled Rename the API - phase 2', 'Rename the API - phase 2'],
  ['notion-create-page', 'parent_page_id', 'create a page in Notion called Hello World - Draft 2', undefined],
  ['slack-post-message', 'text', 'send to #general saying check the report, the title is wrong', 'check the report, the title is wrong'],
  ['slack-post-message', 'text', 'Post hello in the #general channel', 'hello'],
  ['hubspot-create-company', 'name', 'Add the company HubSpot with domain hubspot.com', 'HubSpot'],
  ['hubspot-create-company', 'name', 'Add HubSpot as a company', 'HubSpot'],
  ['gmail-send-message', 'to', 'Send ada@example.com an email and call +491511234567', ['ada@example.com']],
  ['github-create-issue', 'title', 'create an issue titled Upgrade to v22 in acme/web', 'Upgrade to v22'],
  ['github-create-issue', 'title', 'Could you open an issue titled Why is login broken? in acme/web', 'Why is login broken?'],
  ['hubspot-create-contact', 'first_name', 'add a contact called Ada with the email ada@x.org', 'Ada'],
  ['salesforce-create-lead', 'company', 'create a lead called Bob Smith at Globex in Salesforce', 'Globex'],
  ['asana-create-task', 'name', 'create a task called Write the report due Friday', 'Write the report'],
  ['asana-create-task', 'name', 'add a task named Fish and chips and assign it to bob@x.com', 'Fish and chips'],
  ['trello-create-card', 'name', 'add a card called Buy milk for grandma to the list Shopping', 'Buy milk for grandma'],
  ['salesforce-create-opportunity', 'name', 'new opportunity named Big deal closing on 31 December 2026', 'Big deal'],
  ['zendesk-create-ticket', 'subject', 'new ticket with subject Printer is on fire and description It smells', 'Printer is on fire'],
  ['gmail-send-message', 'subject', 'send an email to bob@x.com with subject How are you? and body fine', 'How are you?'],
  ['gmail-send-message', 'text', 'send an email to bob@x.com with subject How are you? and body fine', 'fine'],
  ['gmail-send-message', 'text', 'email bob@x.com with the body Thanks for the call, see you soon', 'Thanks for the call, see you soon'],
  ['gmail-send-message', 'text', "email bob@x.com saying I'll be late, subject Running late", "I'll be late"],
  ['twilio-send-message', 'body', 'text +49 151 12345678 via Twilio saying See you soon!', 'See you soon!'],
  ['slack-post-message', 'text', 'tell C07PQRS12 the demo moved to 4', 'the demo moved to 4'],
  ['trello-create-card', 'name', 'card Renew passport, due December 10 at noon, in list 9ab3c1', 'Renew passport'],
  ['google-drive-create-folder', 'parent_id', 'make a folder "Photos" in the folder 1AbCdEfGh', '1AbCdEfGh'],
  // A piece with a distinctive form is not a name, and a fragment of a sentence is not a message.
  ['sendgrid-send-email', 'from_name', 'Text +49 151 12345678: See you soon', undefined],
  ['mailchimp-create-campaign', 'title', 'create a campaign called Spring sale with the subject 20% off', 'Spring sale'],
  ['hubspot-update-contact', 'contact_id', 'change the phone number of contact 512 to +49 151 12345678', '512'],
  ['slack-post-message', 'text', 'post Good morning everyone! in #general', 'Good morning everyone!'],
  ['jira-search-issues', 'jql', 'search Jira for login problems', undefined],
  ['jira-create-issue', 'project', 'open a ticket called Upgrade Node to version 22', undefined],
]

it.each(cases)('predictArguments predicts for %s the %s of "%s"', async (name, parameter, prompt, expected) => {
  const fn = (await catalog).fn(name)
  if (fn === undefined) throw new Error(`there is no ${name}`)
  expect(predictArguments(fillableOf(fn), { ...input, prompt })[parameter]?.value).toEqual(expected)
})

const catalog = loadBuiltIn()
