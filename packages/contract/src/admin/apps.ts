import { endpoint } from '../endpoint.ts'
import { success } from '../parts.ts'
import { arrayOf, object, time } from '../schemas.ts'
import { appName } from './parts.ts'

/** A function that does not compile and is left out of the catalog, with the reasons. */
export const quarantinedFunction = object({ function: { type: 'string' }, problems: arrayOf({ type: 'string' }) })

/** `file` is an app file in the format of packages/catalog. It replaces an imported app of the same name, but not a built-in one. */
export const putApp = endpoint({
  method: 'put',
  path: '/admin/apps/:name',
  access: { role: 'operator' },
  action: 'app.import',
  summary: 'Import an app, or replace an imported one.',
  body: object({ file: { type: 'object', additionalProperties: true, writeOnly: true } }),
  // Documents bound 64-bit integers by numbers that JavaScript only approximates.
  numbers: 'nearest',
  response: object({
    name: appName,
    version: { type: 'string' },
    functions: { type: 'integer' },
    quarantined: arrayOf(quarantinedFunction),
  }),
})

export const getImportedApp = endpoint({
  method: 'get',
  path: '/admin/apps/:name',
  access: { role: 'member' },
  summary: 'Get the file of an imported app.',
  response: object({
    name: appName,
    version: { type: 'string' },
    file: { type: 'object', additionalProperties: true },
    modified_at: time,
  }),
})

export const listImportedApps = endpoint({
  method: 'get',
  path: '/admin/apps',
  access: { role: 'member' },
  summary: 'List imported apps.',
  response: object({
    apps: arrayOf(
      object({
        name: appName,
        title: { type: 'string' },
        functions: { type: 'integer' },
        modified_at: time,
      }),
    ),
  }),
})

export const deleteImportedApp = endpoint({
  method: 'delete',
  path: '/admin/apps/:name',
  access: { role: 'operator' },
  action: 'app.delete',
  summary: 'Delete an imported app. Its connected accounts stay.',
  response: success,
})

/** `function` is null when the whole app is left out. */
export const listQuarantined = endpoint({
  method: 'get',
  path: '/admin/quarantined-functions',
  access: { role: 'member' },
  summary: 'List the functions that are left out of the catalog, with the reasons.',
  response: object({
    quarantined: arrayOf(
      object({
        app: { type: 'string' },
        function: { type: ['string', 'null'] },
        problems: arrayOf({ type: 'string' }),
      }),
    ),
  }),
})
