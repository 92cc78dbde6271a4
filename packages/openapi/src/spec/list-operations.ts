import { compareTexts } from '../compare-texts.ts'
import type { Resolve } from '../documents/make-resolver.ts'
import { isObject, type JsonObject, listAt, objectAt, textAt } from '../json.ts'
import { Unusable } from '../unusable.ts'
import type { Operation } from './spec.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** The operations of a document, by path and method, so that nothing depends on its order. */
export function listOperations(root: JsonObject, resolve: Resolve, upgrade: (operation: JsonObject) => JsonObject): Operation[] {
  const operations = Object.entries(objectAt(root, 'paths')).flatMap(([path, item]) => ofPath(path, item, resolve, upgrade))
  return operations.sort((a, b) => compareTexts(a.path, b.path) || compareTexts(a.method, b.method))
}

function ofPath(path: string, raw: unknown, resolve: Resolve, upgrade: (operation: JsonObject) => JsonObject): Operation[] {
  if (path.startsWith('x-') || !isObject(raw)) return []
  const { item, problem } = attempt(() => ({ ...objectOf(resolve(raw)), ...(raw.$ref === undefined ? {} : withoutReference(raw)) }))
  if (problem !== undefined) return [describe('*', path, {}, problem)]
  return methods.flatMap((method) => {
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

/** A reference that leads nowhere costs the operation that needs it, and no other. */
function attempt(read: () => JsonObject): { item: JsonObject; problem: string | undefined } {
  try {
    return { item: read(), problem: undefined }
  } catch (error) {
    if (error instanceof Unusable) return { item: {}, problem: error.message }
    throw error
  }
}

function objectOf(value: unknown): JsonObject {
  if (!isObject(value)) throw new Unusable('is no object')
  return value
}

function withoutReference({ $ref: _, ...rest }: JsonObject): JsonObject {
  return rest
}

/** Adds what stands at the path for all of its methods; the operation's own parameter of a name and place goes before. */
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
