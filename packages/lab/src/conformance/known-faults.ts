type KnownFault = { readonly function: string | RegExp; readonly problem: string | RegExp; readonly reason: string }

const SLACK_TIME = 'Slack timestamps are strings in its reference and responses; numbers would lose digits'

const EVERY_LIST = 'The documents mark every list of an input as required; the reference sends requests without them'

/** Differences where the vendor's document is wrong or outdated and the function is right. A text must equal the text of the check. */
export const KNOWN_FAULTS: readonly KnownFault[] = [
  {
    function: 'notion-create-page',
    problem: 'body.children[0]: is object, but string in the document',
    reason: 'The document of the MCP server declares blocks as strings; the reference has objects',
  },
  {
    function: 'notion-add-database-row',
    problem: 'body.parent.data_source_id: the operation has no such field',
    reason: 'The document has page_id and database_id; version 2025-09-03 of the API has data sources',
  },
  {
    function: 'slack-post-message',
    problem: 'body.blocks: is array, but string in the document',
    reason: 'The document describes the form, where blocks are a JSON text; in a JSON body they are a list',
  },
  {
    function: 'resend-create-contact',
    problem: 'body.segments[0]: is object, but string in the document',
    reason: "The document has ids; Resend's own client sends objects with an id",
  },
  { function: 'slack-list-messages', problem: 'query oldest: is string, but number in the document', reason: SLACK_TIME },
  { function: 'slack-list-messages', problem: 'query latest: is string, but number in the document', reason: SLACK_TIME },
  { function: 'slack-list-replies', problem: 'query ts: is string, but number in the document', reason: SLACK_TIME },
  { function: 'slack-list-replies', problem: 'query oldest: is string, but number in the document', reason: SLACK_TIME },
  { function: 'slack-list-replies', problem: 'query latest: is string, but number in the document', reason: SLACK_TIME },
  { function: 'slack-delete-message', problem: 'body.ts: is string, but number in the document', reason: SLACK_TIME },
  { function: /^hubspot-(create|log)-/, problem: 'body.associations: is required and is not sent', reason: EVERY_LIST },
  { function: /^hubspot-search-/, problem: 'body.sorts: is required and is not sent', reason: EVERY_LIST },
  {
    function: /^slack-/,
    problem: /^output/,
    reason: 'The document writes the alternatives of an object as a list; the recorded responses of the Java SDK have objects',
  },
  {
    function: /^asana-/,
    problem: /^output\S+ the response has no such field$/,
    reason: 'The document has the short form of lists; opt_fields asks for more fields',
  },
  {
    function: /^trello-/,
    problem: /^output\S+ the response has no (?:such field|\/cards)$/,
    reason: 'The document names only some of the fields; the guides to objects and nested resources have the others',
  },
  {
    function: /^trello-/,
    problem: /^output\S*\.labels\[\]: is object, but string in the document$/,
    reason: 'The document has ids, which are in idLabels; labels are objects in the guide to objects',
  },
  {
    function: 'microsoft-teams-list-team-members',
    problem: /^output\[\]\.(?:userId|email): the response has no such field$/,
    reason: 'They are fields of aadUserConversationMember, which the members of a team are',
  },
  {
    function: 'zendesk-search',
    problem: 'output[].subject: the response has no such field',
    reason: 'A result is a whole ticket, user, organization or group; a ticket has a subject',
  },
  {
    function: 'clickup-get-current-user',
    problem: 'output.email: the response has no such field',
    reason: 'The document is made from an example without an address; the same user has one in the lists of members',
  },
  { function: /^asana-(?:list-projects|create-project)$/, problem: /team: is deprecated$/, reason: 'Asana names no end and no equal' },
  {
    function: 'asana-list-projects',
    problem: /^query opt_fields: owner\.name, /,
    reason: 'The document lists only owner, but its guide to fields takes any path below it',
  },
  {
    function: 'asana-search-tasks',
    problem: 'query limit: the operation has no such parameter',
    reason: 'The document leaves out the page size, which its guide to search has',
  },
  {
    function: /^confluence-/,
    problem: 'path id: is string, but integer in the document',
    reason: 'Ids are numbers that responses write as texts',
  },
  {
    function: 'elevenlabs-create-sound-effect',
    problem: 'body.loop: the operation has no such field',
    reason: "The document is older than the field, which ElevenLabs' own client sends",
  },
  { function: /^hubspot-search-/, problem: 'body.properties: is required, but a call may leave it out', reason: EVERY_LIST },
  {
    function: 'intercom-list-ticket-types',
    problem: 'output: the response has no /data',
    reason: 'The schema says ticket_types; the example of the same response has data',
  },
  {
    function: 'jira-add-attachment',
    problem: 'body: is object, but array in the document',
    reason: 'The document describes the parts of the form as a list; the text beside it has a form with the part file',
  },
  {
    function: 'jira-list-priorities',
    problem: 'the operation is deprecated',
    reason: 'Atlassian names no end, and the other list of priorities is deprecated too',
  },
  {
    function: 'jira-list-sprints',
    problem: 'query state: is array, but object in the document',
    reason: 'The document has an object without fields; its text says states joined with commas',
  },
  {
    function: /^(?:microsoft-teams|outlook-mail)-/,
    problem: /@odata\.type: is required and is not sent$/,
    reason: 'The document marks it as required everywhere; the reference sends requests without it',
  },
  {
    function: /^microsoft-teams-(?:create-.*-chat|add-chat-member)$/,
    problem: /user@odata\.bind: the operation has no such field$/,
    reason: 'It is a reference to a user, which the reference of chats has and the document of the service leaves out',
  },
  {
    function: 'outlook-mail-attach-file',
    problem: 'body.contentBytes: the operation has no such field',
    reason: 'It is a field of fileAttachment, which is one kind of attachment',
  },
  {
    function: 'outlook-mail-list-events',
    problem: /^query \$orderby: start\/dateTime, /,
    reason: 'The document lists whole properties only; start is an object, and its time is below it',
  },
  {
    function: 'notion-add-database-row',
    problem: 'body.parent.type: data_source_id, but the document has database_id, workspace',
    reason: 'The document has page_id and database_id; version 2025-09-03 of the API has data sources',
  },
  {
    function: 'notion-get-current-user',
    problem: 'output.bot.workspace_name: the response has no such field',
    reason: "The document leaves the fields of a bot out; Notion's own client has them",
  },
  {
    function: 'notion-create-page-from-markdown',
    problem: 'body.markdown: the operation has no such field',
    reason: "The document is older than the field, which Notion's own client has",
  },
  {
    function: 'notion-append-markdown-to-page',
    problem: 'body.insert_content: is deprecated',
    reason: 'Notion names no end; the newer way needs the text before the place, which an append does not have',
  },
  {
    function: 'notion-set-to-do',
    problem: 'body.to_do: the operation has no such field',
    reason: 'The document has only two kinds of blocks for an update',
  },
  {
    function: 'pagerduty-create-incident',
    problem: /^body\.incident\.body\./,
    reason: 'The document describes the body of an incident without the details, which its example has as a text',
  },
  {
    function: 'paypal-list-disputes',
    problem: 'query next_page_token: is deprecated',
    reason: 'The links of a response contain it, and PayPal names nothing else for the next page',
  },
  {
    function: 'sentry-update-issue',
    problem: /^body\.\S+ is required(?:,| and is not sent)/,
    reason: 'The document marks every field of the change as required; the reference sends single fields',
  },
  { function: 'slack-schedule-message', problem: 'body.thread_ts: is string, but number in the document', reason: SLACK_TIME },
  {
    function: 'slack-schedule-message',
    problem: 'body.post_at: is integer, but string in the document',
    reason: 'The document describes the form, where a number is a text; in a JSON body it is a number',
  },
  {
    function: /^trello-/,
    problem: /^query fields: .*but the document has id/,
    reason: 'The document lists only the first fields; the guide to objects has the others',
  },
  {
    function: /^trello-list-/,
    problem: /^query (?:filter|fields|limit|before): the operation has no such parameter$/,
    reason: 'The document leaves out the parameters that the guide to nested resources has',
  },
  {
    function: 'trello-create-card',
    problem: 'query idBoard: the operation has no such parameter',
    reason: 'Trello ignores it; the list of the card decides',
  },
  {
    function: 'trello-search-cards',
    problem: 'query partial: is string, but boolean in the document',
    reason: 'A query has only texts; true and false are the two that the document has',
  },
  {
    function: /^trello-attach-/,
    problem: 'output: is object, but array in the document',
    reason: "The document describes the list of attachments; the response is the new one, as in Trello's guide",
  },
  {
    function: /^zendesk-/,
    problem: /^query (?:page|per_page|page\[(?:size|after)\]|sort): the operation has no such parameter$/,
    reason: 'The document leaves out the parameters of paging and sorting, which the reference of each list has',
  },
  {
    function: 'zendesk-create-ticket',
    problem: 'body.ticket.requester: the operation has no such field',
    reason: 'The reference of tickets creates the requester together with the ticket',
  },
  {
    function: 'zendesk-upload-file',
    problem: /^(?:query filename: |a body is sent, )/,
    reason: 'The document leaves out the file and its name, which the reference of attachments has',
  },
  {
    function: 'exa-answer-question',
    problem: 'output.answer: is string, but string or object in the document',
    reason: 'An answer is an object only when the request contains a schema',
  },
  {
    function: 'jira-list-assignable-users',
    problem: 'example: the output is no list',
    reason: 'The schema is a list, and the example one of its users',
  },
  {
    function: /^twitter-/,
    problem: /^query tweet\.fields: the operation has no such parameter$/,
    reason: 'The document says post.fields; the guides of the same repository say tweet.fields',
  },
  {
    function: 'twitter-list-direct-messages',
    problem: /^query dm_event\.fields: sender_id, but the document has /,
    reason: 'The document leaves sender_id out; the guides of the same repository ask for it',
  },
  {
    function: /^bitbucket-list-/,
    problem: /^query (pagelen|page|q|sort): the operation has no such parameter$/,
    reason: 'The document describes paging, filtering and sorting once for all lists, in its introduction',
  },
  {
    function: 'bitbucket-create-branch',
    problem: 'a body is sent, but the operation accepts none',
    reason: 'The description of the operation has the body',
  },
  {
    function: /^bitbucket-/,
    problem: 'body.type: is required and is not sent',
    reason: 'The type of an object is in responses; the examples of the document do not send it',
  },
  {
    function: /^asana-/,
    problem: 'scopes: the document does not say that default is enough',
    reason: 'The document lists only the narrow scopes. In the guide to OAuth, `default` stands for all of them',
  },
  {
    function: /^confluence-/,
    problem: 'scopes: the document does not say that read:content-details:confluence is enough',
    reason: 'The copy of version 1 is older than the granular scopes',
  },
  {
    function: /^outlook-mail-(?:get-message|list-attachments)$/,
    problem: 'scopes: the document does not say that Mail.ReadWrite is enough',
    reason: 'Mail.ReadWrite contains Mail.Read, which the document has',
  },
  {
    function: /^slack-/,
    problem: /^scopes: .* (?:chat:write|channels:manage|channels:join) is enough$/,
    reason: 'The document is older than the scopes of bots, which the reference of each method has',
  },
  {
    function: /^xero-/,
    problem: /^scopes: .* accounting\.(?:invoices|payments|reports\.(?:profitandloss|balancesheet))(?:\.read)? is enough$/,
    reason: 'The document has only the broad scopes, which new apps do not get',
  },
]
