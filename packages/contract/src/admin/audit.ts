import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { listCursor, pageSize } from '../parts.ts'
import { arrayOf, object, time, uuid } from '../schemas.ts'

/**
 * How a change ended. `started`: the process died before it ended, so the outcome is unknown. `refused`: nothing was changed, as `code` says.
 * `failed`: an error of Onward itself. `denied`: the person had no right to it.
 */
export const auditOutcomes = ['started', 'done', 'refused', 'failed', 'denied'] as const

/** The filters by outcome. `asked`: `denied` with the code `approval_required`, which `denied` leaves out. */
export const auditOutcomeFilters = [...auditOutcomes, 'asked'] as const

/**
 * One change, one denied attempt, or the first of a person's reads of the same target in an hour: a call, the list of users, the audit
 * log. `target` has the parameters of the path and the query. `before` and `after` hold no secrets; an `after` whose JSON would be longer than 8 KB is `{"cut": "<its beginning>"}`. `address` and `user_agent` are null in entries of older versions.
 */
export const auditEntry = {
  type: 'object',
  required: [
    ...['id', 'at', 'actor', 'workspace_id', 'action', 'target', 'request_id', 'address', 'user_agent'],
    ...['outcome', 'code', 'before', 'after'],
  ],
  additionalProperties: false,
  properties: {
    id: uuid,
    at: time,
    /**
     * `bootstrap` is the holder of ADMIN_TOKEN, `api-key` a program with the API key of the workspace. `application` is the server of an
     * application, by its App-Key, with a hash of the user. `user` is who uses the pages to connect
     * accounts, with a link for this User-ID. `embed-session` is an embedded page of a user, by the id of its session.
     */
    actor: object({
      kind: { type: 'string', enum: ['person', 'token', 'bootstrap', 'api-key', 'application', 'user', 'embed-session'] },
      id: { type: 'string' },
      name: { type: 'string' },
    }),
    workspace_id: { type: ['string', 'null'] },
    action: { type: 'string' },
    target: { type: 'object', additionalProperties: { type: 'string' } },
    request_id: { type: 'string' },
    /** The IP address of the client. */
    address: { type: ['string', 'null'] },
    /** The browser or program: the first 256 characters of `User-Agent`, with `…` at the end if there were more. */
    user_agent: { type: ['string', 'null'] },
    outcome: { type: 'string', enum: auditOutcomes },
    code: { type: ['string', 'null'] },
    before: {},
    after: {},
  },
} as const

export type AuditEntry = FromSchema<typeof auditEntry>

/**
 * Each service has its own audit log. `actor` is the id or the name of an actor. Operators who name no workspace see all entries, also
 * entries without a workspace, such as attempts to reach another workspace. `reads=false` leaves out reads, except denied ones.
 * `outcome=asked` returns calls that wait for an approval.
 */
export const readAudit = endpoint({
  method: 'get',
  path: '/admin/audit',
  access: { role: 'owner', in: ['workspace_id'] },
  reads: 'audit.read',
  summary: 'Read the audit log, newest first.',
  query: {
    type: 'object',
    properties: {
      workspace_id: { type: 'string' },
      actor: { type: 'string', maxLength: 320 },
      action: { type: 'string', maxLength: 100 },
      outcome: { type: 'string', enum: auditOutcomeFilters },
      reads: { type: 'boolean' },
      since: time,
      until: time,
      page_size: pageSize,
      _cursor: { type: 'string' },
    },
  },
  response: object({ entries: arrayOf(auditEntry), _cursor: listCursor }),
})
