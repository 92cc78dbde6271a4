import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { listCursor, pageSize, pageSizeRange } from '../parts.ts'
import { arrayOf, object } from '../schemas.ts'
import { connectedAccount, exampleAccount } from './parts.ts'

const inLists = {
  id: { type: 'integer' },
  name: { type: 'string' },
  title: { type: 'string' },
  icon_url: { type: 'string' },
  docs_url: { type: 'string' },
  login_url: { type: 'string' },
  allow_multiple_connected_accounts: { type: 'boolean' },
} as const

const accounts = { connected_accounts: arrayOf(connectedAccount) } as const

/** An app. `connected_accounts` is present in the response for one app and, for an application with `client_profile: published`, also in lists. */
export const app = object(inLists, accounts)

export type AppItem = FromSchema<typeof app>

const exampleApp = {
  id: 1043,
  name: 'addressbook',
  title: 'Address book',
  icon_url: '',
  docs_url: '',
  login_url: 'https://onward.example.com/connect/AmRldg6kXo1v',
  allow_multiple_connected_accounts: true,
} as const

export const listApps = endpoint({
  method: 'post',
  path: '/apps/list',
  access: { role: 'viewer', in: ['app_key'] },
  action: null,
  summary: 'List apps.',
  query: {
    type: 'object',
    properties: {
      _cursor: { type: 'string' },
      connected_only: { type: 'boolean' },
      search: { type: 'string' },
      page_size: pageSize,
      allow_workspace_connected_accounts: { type: 'boolean' },
    },
  },
  body: {
    type: 'object',
    properties: { _cursor: listCursor, search: { type: 'string' }, page_size: pageSizeRange },
  },
  errors: [],
  response: object({ apps: arrayOf(app), _cursor: listCursor }),
  examples: [
    {
      summary: 'Apps that the user has connected',
      query: { connected_only: true },
      body: { page_size: 20 },
      response: { apps: [exampleApp], _cursor: null },
    },
  ],
})

export const getApp = endpoint({
  method: 'post',
  path: '/apps/:app_name/get',
  access: { role: 'viewer', in: ['app_key'] },
  action: null,
  summary: "Get one app with the user's connected accounts.",
  body: { type: 'object' },
  errors: ['app_not_found'],
  response: object({ ...inLists, ...accounts }),
  examples: [
    {
      summary: 'An app with its accounts',
      params: { app_name: 'addressbook' },
      body: {},
      response: { ...exampleApp, connected_accounts: [exampleAccount] },
    },
  ],
})
