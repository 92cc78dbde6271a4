import { endpoint } from '../endpoint.ts'
import { approval, approvalBackground, approvalPage, decision } from '../functions/approvals.ts'
import { pageSize, userIdFilter } from '../parts.ts'
import { object } from '../schemas.ts'

export const listApplicationApprovals = endpoint({
  method: 'get',
  path: '/admin/applications/:app_key/approvals',
  access: { role: 'viewer', in: ['app_key'] },
  summary: 'List the approvals of the calls of an application of the last day, newest first.',
  query: {
    type: 'object',
    properties: {
      user_id: userIdFilter,
      function_name: { type: 'string' },
      state: approval.properties.state,
      page_size: pageSize,
      _cursor: { type: 'string' },
    },
  },
  errors: ['application_not_found'],
  response: approvalPage,
})

export const readApproval = endpoint({
  method: 'get',
  path: '/admin/approvals/:id',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Read one approval of the last day.',
  query: { type: 'object', properties: { workspace_id: { type: 'string' } } },
  errors: ['approval_not_found'],
  response: object({ ...approval.properties, app_key: { type: 'string' } }),
})

/** Calls the user's app for up to five seconds, so viewers may not do it. */
export const readApprovalBackground = endpoint({
  method: 'get',
  path: '/admin/approvals/:id/background',
  reads: 'approval.read',
  access: { role: 'developer', in: ['workspace_id'] },
  summary: "Read from the user's app what helps to decide on a call.",
  query: { type: 'object', properties: { workspace_id: { type: 'string' } } },
  errors: ['approval_not_found'],
  response: approvalBackground,
})

/** Only owners may approve destructive functions. */
export const decideApplicationApproval = endpoint({
  method: 'post',
  path: '/admin/applications/:app_key/approvals/:id/decide',
  access: { role: 'developer', in: ['app_key'] },
  action: 'approval.decide',
  summary: 'Approve or refuse a call of any user of an application.',
  body: decision,
  errors: ['application_not_found', 'approval_not_found', 'already_decided'],
  response: approval,
})
