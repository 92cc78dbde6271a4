import { endpoint } from '../endpoint.ts'
import { success } from '../parts.ts'
import { appName } from './parts.ts'

/** A function that does not compile and is left out of the catalog, with the reasons. */
export const quarantinedFunction = {
  type: 'object',
  required: ['function', 'problems'],
  additionalProperties: false,
  properties: { function: { type: 'string' }, problems: { type: 'array', items: { type: 'string' } } },
} as const

/** `file` is an app file in the format of packages/catalog. It replaces an imported app of the same name, but not a built-in one. */
export const putApp = endpoint({
  method: 'put',
  path: '/admin/apps/:name',
  access: { role: 'operator' },
  action: 'app.import',
  summary: 'Import an app, or replace an imported one.',
  body: {
    type: 'object',
    required: ['file'],
    additionalProperties: false,
    properties: { file: { type: 'object', additionalProperties: true, writeOnly: true } },
  },
  // Documents bound 64-bit integers by numbers that JavaScript only approximates.
  numbers: 'nearest',
  answer: {
    type: 'object',
    required: ['name', 'version', 'functions', 'quarantined'],
    additionalProperties: false,
    properties: {
      name: appName,
      version: { type: 'string' },
      functions: { type: 'integer' },
      quarantined: { type: 'array', items: quarantinedFunction },
    },
  },
})

export const getImportedApp = endpoint({
  method: 'get',
  path: '/admin/apps/:name',
  access: { role: 'member' },
  summary: 'Get the file of an imported app.',
  answer: {
    type: 'object',
    required: ['name', 'version', 'file', 'modified_at'],
    additionalProperties: false,
    properties: {
      name: appName,
      version: { type: 'string' },
      file: { type: 'object', additionalProperties: true },
      modified_at: { type: 'string', format: 'date-time' },
    },
  },
})

export const listImportedApps = endpoint({
  method: 'get',
  path: '/admin/apps',
  access: { role: 'member' },
  summary: 'List imported apps.',
  answer: {
    type: 'object',
    required: ['apps'],
    additionalProperties: false,
    properties: {
      apps: {
        type: 'array',
        items: {
          type: 'object',
          required: ['name', 'title', 'functions', 'modified_at'],
          additionalProperties: false,
          properties: {
            name: appName,
            title: { type: 'string' },
            functions: { type: 'integer' },
            modified_at: { type: 'string', format: 'date-time' },
          },
        },
      },
    },
  },
})

export const deleteImportedApp = endpoint({
  method: 'delete',
  path: '/admin/apps/:name',
  access: { role: 'operator' },
  action: 'app.delete',
  summary: 'Delete an imported app. Its connected accounts stay.',
  answer: success,
})

/** `function` is null when the whole app is left out. */
export const listQuarantined = endpoint({
  method: 'get',
  path: '/admin/quarantined-functions',
  access: { role: 'member' },
  summary: 'List the functions that are left out of the catalog, with the reasons.',
  answer: {
    type: 'object',
    required: ['quarantined'],
    additionalProperties: false,
    properties: {
      quarantined: {
        type: 'array',
        items: {
          type: 'object',
          required: ['app', 'function', 'problems'],
          additionalProperties: false,
          properties: {
            app: { type: 'string' },
            function: { type: ['string', 'null'] },
            problems: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    },
  },
})
