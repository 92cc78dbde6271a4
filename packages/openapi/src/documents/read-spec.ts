import { CatalogError } from '@onward/catalog'
import { isObject, type JsonObject, listAt, member, objectAt, textAt } from '../json.ts'
import { listOperations } from './list-operations.ts'
import { type Documents, nameOf } from './load-documents.ts'
import { makeResolver } from './resolve.ts'
import type { Spec } from './spec.ts'
import { upgradeOperation, upgradeSchemes, upgradeServers } from './swagger-two.ts'

/** Reads a loaded document of any version. Throws a CatalogError when it is not an OpenAPI document. */
export function readSpec(documents: Documents): Spec {
  const root = documents.values.get(documents.root)
  const name = nameOf(documents.root)
  if (!isObject(root)) throw new CatalogError([`${name}: is not an OpenAPI document (needs openapi or swagger)`])
  const version = versionOf(root, name)
  if (Object.hasOwn(root, 'paths') && !isObject(root.paths)) throw new CatalogError([`${name}: /paths: must be an object`])
  const resolve = makeResolver(documents)
  const shared = {
    version,
    info: objectAt(root, 'info'),
    docsUrl: textAt(member(root, 'externalDocs'), 'url'),
    security: listAt(root, 'security'),
    resolve,
    documents,
  }
  if (version.startsWith('2.')) {
    return {
      ...shared,
      servers: upgradeServers(root),
      securitySchemes: upgradeSchemes(root, resolve),
      operations: listOperations(root, resolve, (operation) => upgradeOperation(operation, root, resolve)),
    }
  }
  return {
    ...shared,
    servers: listAt(root, 'servers'),
    securitySchemes: objectAt(member(root, 'components'), 'securitySchemes'),
    operations: listOperations(root, resolve, (operation) => operation),
  }
}

function versionOf(root: JsonObject, name: string): string {
  const version = member(root, 'openapi') ?? member(root, 'swagger')
  if (version === undefined) throw new CatalogError([`${name}: /: has no OpenAPI version: neither openapi nor swagger is set`])
  // YAML reads 2.0 as a number.
  const text = typeof version === 'number' ? version.toFixed(1) : String(version)
  if (/^(?:2\.0|3\.\d+(?:\.\d+)?(?:-.+)?)$/.test(text)) return text
  throw new CatalogError([`${name}: /${Object.hasOwn(root, 'openapi') ? 'openapi' : 'swagger'}: is ${text.slice(0, 20)}, not 2.0 or 3.x`])
}
