import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { listCursor, pageSize, pageSizeRange } from '../parts.ts'
import { connectedAccount, exampleAccount } from './parts.ts'

const appProperties = {
  id: { type: 'integer' },
  name: { type: 'string' },
  title: { type: 'string' },
  icon_url: { type: 'string' },
  docs_url: { type: 'string' },
  login_url: { type: 'string' },
  allow_multiple_connected_accounts: { type: 'boolean' },
  connected_accounts: { type: 'array', items: connectedAccount },
} as const

const appRequired = ['id', 'name', 'title', 'icon_url', 'docs_url', 'login_url', 'allow_multiple_connected_accounts'] as const

/** An app. `connected_accounts` is present in the response for one app and, for an application with `client_profile: published`, also in lists. */
export const app = { type: 'object', required: appRequired, additionalProperties: false, properties: appProperties } as const

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
  answer: {
    type: 'object',
    required: ['apps', '_cursor'],
    additionalProperties: false,
    properties: { apps: { type: 'array', items: app }, _cursor: listCursor },
  },
  examples: [
    {
      summary: 'Apps that the user has connected',
      query: { connected_only: true },
      body: { page_size: 20 },
      answer: { apps: [exampleApp], _cursor: null },
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
  answer: { type: 'object', required: [...appRequired, 'connected_accounts'], additionalProperties: false, properties: appProperties },
  examples: [
    {
      summary: 'An app with its accounts',
      params: { app_name: 'addressbook' },
      body: {},
      answer: { ...exampleApp, connected_accounts: [exampleAccount] },
    },
  ],
})
