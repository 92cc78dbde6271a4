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
]
