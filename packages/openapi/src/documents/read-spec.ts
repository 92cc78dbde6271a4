import { CatalogError } from '@onward/catalog'
import { isObject, type JsonObject, listAt, member, objectAt, textAt, Unusable } from '../json.ts'
import { compareTexts } from '../text.ts'
import { type Documents, nameOf } from './load-documents.ts'
import { makeResolver, type Resolve } from './resolve.ts'
import type { Operation, Spec } from './spec.ts'
import { upgradeOperation, upgradeSchemes, upgradeServers } from './swagger-two.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

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

/** Returns the operations of a document, sorted by path and method. `upgrade` converts one from OpenAPI 2.0 where needed. */
function listOperations(root: JsonObject, resolve: Resolve, upgrade: (operation: JsonObject) => JsonObject): Operation[] {
  const operations = Object.entries(objectAt(root, 'paths')).flatMap(([path, item]) => ofPath(path, item, resolve, upgrade))
  return operations.sort((a, b) => compareTexts(a.path, b.path) || compareTexts(a.method, b.method))
}

function ofPath(path: string, raw: unknown, resolve: Resolve, upgrade: (operation: JsonObject) => JsonObject): Operation[] {
  if (path.startsWith('x-') || !isObject(raw)) return []
  const { item, problem } = attempt(() => ({ ...objectOf(resolve(raw)), ...(raw.$ref === undefined ? {} : withoutReference(raw)) }))
  if (problem !== undefined) return [describe('*', path, {}, problem)]
  return METHODS.flatMap((method) => {
    const operation = item[method]
    if (!isObject(operation)) return []
    const { item: value, problem: what } = attempt(() => upgrade(withShared(objectOf(resolve(operation)), item, resolve)))
    return [describe(method.toUpperCase(), path, what === undefined ? value : operation, what)]
  })
}

function describe(method: string, path: string, value: JsonObject, problem: string | undefined): Operation {
  const tags = listAt(value, 'tags').filter((tag) => typeof tag === 'string')
  return { method, path, key: `${method} ${path}`, id: textAt(value, 'operationId'), tags, value, problem }
}

/** A broken reference affects only the operation that needs it. */
function attempt(read: () => JsonObject): { item: JsonObject; problem: string | undefined } {
  try {
    return { item: read(), problem: undefined }
  } catch (err) {
    if (err instanceof Unusable) return { item: {}, problem: err.message }
    throw err
  }
}

function objectOf(value: unknown): JsonObject {
  if (!isObject(value)) throw new Unusable('is not an object')
  return value
}

function withoutReference({ $ref: _, ...rest }: JsonObject): JsonObject {
  return rest
}

/** Adds the parameters and servers that the path declares for all its methods. A parameter of the operation overrides the path's. */
function withShared(operation: JsonObject, item: JsonObject, resolve: Resolve): JsonObject {
  const own = listAt(operation, 'parameters').map((parameter) => resolve(parameter))
  const taken = new Set(own.map(identity))
  const shared = listAt(item, 'parameters')
    .map((parameter) => resolve(parameter))
    .filter((parameter) => !taken.has(identity(parameter)))
  const servers = listAt(operation, 'servers').length > 0 ? operation.servers : item.servers
  return { ...operation, parameters: [...own, ...shared].filter(isObject), ...(servers === undefined ? {} : { servers }) }
}

function identity(parameter: unknown): string {
  return `${textAt(parameter, 'in')} ${textAt(parameter, 'name')}`
}
