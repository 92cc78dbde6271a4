type KnownFault = { readonly function: string; readonly problem: string; readonly reason: string }

const slackTime = 'Timestamps are texts to Slack, as its reference and its answers have them: as numbers they would lose digits'

const everyList = 'The documents call every list of an input required; the reference sends requests without'

/**
 * Where a vendor's document is wrong or older than the API itself, so that a function is right and the document is not. `problem` is what the
 * check would say, word for word.
 */
export const knownFaults: readonly KnownFault[] = [
  {
    function: 'notion-create-page',
    problem: 'body.children[0]: is object here and string in the document',
    reason: 'The document of the MCP server stands for block objects by text; the reference has objects',
  },
  {
    function: 'notion-add-database-row',
    problem: 'body.parent.data_source_id: the operation has no such field',
    reason: 'The document lists page_id and database_id; version 2025-09-03 of the API names data sources',
  },
  {
    function: 'slack-post-message',
    problem: 'body.blocks: is array here and string in the document',
    reason: 'The document describes the form, in which blocks are JSON as text; in a JSON body they are a list',
  },
  {
    function: 'resend-create-contact',
    problem: 'body.segments[0]: is object here and string in the document',
    reason: "The document lists ids; Resend's own client, and its recorded requests, send objects with an id",
  },
  { function: 'slack-list-messages', problem: 'query oldest: is string here and number in the document', reason: slackTime },
  { function: 'slack-list-messages', problem: 'query latest: is string here and number in the document', reason: slackTime },
  { function: 'slack-list-replies', problem: 'query ts: is string here and number in the document', reason: slackTime },
  { function: 'slack-list-replies', problem: 'query oldest: is string here and number in the document', reason: slackTime },
  { function: 'slack-list-replies', problem: 'query latest: is string here and number in the document', reason: slackTime },
  { function: 'slack-delete-message', problem: 'body.ts: is string here and number in the document', reason: slackTime },
  { function: 'hubspot-create-contact', problem: 'body.associations: is required and is not sent', reason: everyList },
  { function: 'hubspot-create-deal', problem: 'body.associations: is required and is not sent', reason: everyList },
  { function: 'hubspot-create-company', problem: 'body.associations: is required and is not sent', reason: everyList },
  { function: 'hubspot-search-contacts', problem: 'body.sorts: is required and is not sent', reason: everyList },
]
