import { CatalogError } from '@onward/catalog'
import { type Documents, nameOf } from '../documents/load-documents.ts'
import { makeResolver } from '../documents/make-resolver.ts'
import { isObject, type JsonObject, listAt, member, objectAt, textAt } from '../json.ts'
import { listOperations } from './list-operations.ts'
import type { Spec } from './spec.ts'
import { upgradeOperation, upgradeSchemes, upgradeServers } from './swagger-two.ts'

/** What a document says, whatever its version. Throws a CatalogError when it is no OpenAPI document. */
export function readSpec(documents: Documents, name: string): Spec {
  const root = documents.values.get(documents.root)
  if (!isObject(root)) throw new CatalogError([`${nameOf(documents.root)}: is no OpenAPI document (needs openapi or swagger)`])
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
  if (version === undefined) throw new CatalogError([`${name}: /: names no version of OpenAPI: it has neither openapi nor swagger`])
  // YAML takes 2.0 for a number.
  const text = typeof version === 'number' ? version.toFixed(1) : String(version)
  if (/^(?:2\.0|3\.\d+(?:\.\d+)?(?:-.+)?)$/.test(text)) return text
  throw new CatalogError([`${name}: /${Object.hasOwn(root, 'openapi') ? 'openapi' : 'swagger'}: is ${text.slice(0, 20)}, not 2.0 or 3.x`])
}
