import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { listCursor, pageSize } from '../parts.ts'
import { arrayOf, object, orNull, time, timeOrNull, uuid } from '../schemas.ts'
import { sentRequest } from './parts.ts'

export const approvalStates = ['pending', 'approved', 'refused', 'used'] as const
export type ApprovalState = (typeof approvalStates)[number]

/** Who decided: the user on our page, the server of the application, or a member of the workspace at the console. */
export const approvalDeciders = ['user', 'application', 'member'] as const
export type ApprovalDecider = (typeof approvalDeciders)[number]

/**
 * The approval of one call. `request` is the request that the call would send, without secrets. `hidden_characters` is the number of
 * characters of its body that are not shown. `files` has the files of the call, which are part of what is approved: if what a URL returns has
 * changed, the call asks again. `via` says where the call came from; null for the API. After `mcp:` comes the name that the program
 * gives itself. `token` is the MCP token or grant that the call was made with; null for none. Its name is empty once it has ended, and its
 * `redirect_host` is null without a sign-in. `message` is the text of the rule that asks.
 * `call_id` is the call that used the approval.
 */
export const approval = object({
  id: uuid,
  state: { type: 'string', enum: approvalStates },
  user_id: { type: 'string' },
  app: { type: 'string' },
  function_name: { type: 'string' },
  function_title: { type: 'string' },
  account: orNull(object({ id: { type: 'integer' }, display_name: { type: 'string' } })),
  request: sentRequest,
  hidden_characters: { type: 'integer', minimum: 0 },
  files: arrayOf(
    object({
      parameter: { type: 'string' },
      name: { type: 'string' },
      content_type: { type: 'string' },
      size: { type: 'integer', minimum: 0 },
      sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    }),
  ),
  via: { type: ['string', 'null'] },
  token: orNull(object({ id: uuid, name: { type: 'string' }, redirect_host: { type: ['string', 'null'] } })),
  message: { type: ['string', 'null'] },
  created_at: time,
  expires_at: time,
  decided_at: timeOrNull,
  decided_by: { type: ['string', 'null'], enum: [...approvalDeciders, null] },
  reason: { type: ['string', 'null'] },
  call_id: { type: ['string', 'null'], format: 'uuid' },
})

export type ApprovalItem = FromSchema<typeof approval>

/**
 * What was read from the user's app to help with the decision, with the account of the call, as far as the rules of the application allow it. `ids` has
 * the names of ids in the arguments; null if a name is not known. `now` has what the call would change or delete, as it is now: its fields, those that
 * the request names first. Null if no function of the app reads it, and `problem` says why it could not be read. Nothing is read after the decision.
 * `more` is the number of ids or fields that are left out.
 */
export const approvalBackground = object({
  ids: arrayOf(
    object({
      parameter: { type: 'string' },
      title: { type: 'string' },
      ids: arrayOf(object({ id: { type: 'string' }, name: { type: ['string', 'null'] } })),
      more: { type: 'integer', minimum: 0 },
    }),
  ),
  now: orNull(
    object({
      function_name: { type: 'string' },
      function_title: { type: 'string' },
      fields: arrayOf(object({ name: { type: 'string' }, value: { type: 'string' } })),
      more: { type: 'integer', minimum: 0 },
      problem: { type: ['string', 'null'] },
    }),
  ),
})

export type ApprovalBackground = FromSchema<typeof approvalBackground>

/** A decision. `reason` becomes the message of the error that the caller gets. */
export const decision = object(
  { result: { type: 'string', enum: ['approved', 'refused'] } },
  { reason: { type: 'string', minLength: 1, maxLength: 500 } },
)

export const approvalPage = object({ approvals: arrayOf(approval), _cursor: listCursor })

const exampleApproval = {
  id: '019ac2f6-1d7e-7b02-8e45-6a3c9f0d2b18',
  state: 'pending',
  user_id: 'joe',
  app: 'addressbook',
  function_name: 'addressbook-create-contact',
  function_title: 'Create contact',
  account: { id: 17, display_name: 'ada@example.com' },
  request: {
    method: 'POST',
    url: 'https://addressbook.example.com/contacts',
    headers: { 'x-api-key': '[redacted]', 'content-type': 'application/json' },
    body: '{"name":"Ada","email":"ada@example.com"}',
  },
  hidden_characters: 0,
  files: [],
  via: 'mcp:claude-code',
  token: { id: '019ac2f0-6a1b-7c44-9d0e-2f5b8a7c1e03', name: 'Editor', redirect_host: null },
  message: null,
  created_at: '2026-11-27T08:15:30.000Z',
  expires_at: '2026-11-28T08:15:30.000Z',
  decided_at: null,
  decided_by: null,
  reason: null,
  call_id: null,
} as const

export const listApprovals = endpoint({
  method: 'post',
  path: '/approvals/list',
  access: { role: 'viewer', in: ['app_key'] },
  action: null,
  summary: "List the approvals of the user's calls of the last day, newest first.",
  query: { type: 'object', properties: { _cursor: { type: 'string' } } },
  body: object({}, { state: approval.properties.state, _cursor: listCursor, page_size: pageSize }),
  errors: [],
  response: approvalPage,
  examples: [
    { summary: 'What waits for a decision', body: { state: 'pending' }, response: { approvals: [exampleApproval], _cursor: null } },
  ],
})

/** Reads from the user's app what helps to decide, for up to five seconds. */
export const getApproval = endpoint({
  method: 'get',
  path: '/approvals/:id',
  reads: 'approval.read',
  access: { role: 'developer', in: ['app_key'] },
  summary: "Read the approval of one of the user's calls, and what helps to decide.",
  errors: ['approval_not_found'],
  response: object({ ...approval.properties, ...approvalBackground.properties }),
  examples: [
    {
      summary: 'An approval to update a contact',
      params: { id: exampleApproval.id },
      response: {
        ...exampleApproval,
        function_name: 'addressbook-update-contact',
        function_title: 'Update contact',
        request: {
          method: 'PATCH',
          url: 'https://addressbook.example.com/contacts/7',
          headers: { 'x-api-key': '[redacted]', 'content-type': 'application/json' },
          body: '{"email":"ada@new.example.com"}',
        },
        ids: [],
        now: {
          function_name: 'addressbook-get-contact',
          function_title: 'Get contact',
          fields: [
            { name: 'email', value: 'ada@example.com' },
            { name: 'id', value: '7' },
            { name: 'name', value: 'Ada' },
          ],
          more: 0,
          problem: null,
        },
      },
    },
  ],
})

/**
 * An approved call runs once, when it is repeated with the same arguments and account before `expires_at`. Only owners of the workspace may approve
 * destructive functions at the console. MCP tokens cannot decide.
 */
export const decideApproval = endpoint({
  method: 'post',
  path: '/approvals/:id/decide',
  access: { role: 'developer', in: ['app_key'] },
  action: 'approval.decide',
  summary: "Approve or refuse one of the user's calls.",
  body: decision,
  errors: ['approval_not_found', 'already_decided'],
  response: approval,
  examples: [
    {
      summary: 'A refusal',
      params: { id: exampleApproval.id },
      body: { result: 'refused', reason: 'Ada is a contact already.' },
      response: {
        ...exampleApproval,
        state: 'refused',
        decided_at: '2026-11-27T08:20:00.000Z',
        decided_by: 'application',
        reason: 'Ada is a contact already.',
      },
    },
  ],
})
