import type { Operation } from '../documents/spec.ts'
import { isObject, type JsonObject, member, objectAt, Unusable } from '../json.ts'
import { emptyFlat, type Flat } from '../schema/flat.ts'
import { flatten, type Schemas } from '../schema/flatten.ts'
import { splitWords } from '../text.ts'

/** The documented response of an operation that succeeds. */
export type ResponseShape = {
  readonly body: Flat
  /** Header names in lower case. */
  readonly headers: ReadonlySet<string>
}

/** Reads the response. One that is missing or broken has an empty shape: the whole body is then the output, without paging. */
export function readResponse(operation: Operation, schemas: Schemas): ResponseShape {
  try {
    const responses = objectAt(operation.value, 'responses')
    const status = ['200', '201', '202', '203', '206', '2XX', '2xx', 'default'].find((key) => Object.hasOwn(responses, key))
    const response = status === undefined ? undefined : schemas.resolve(responses[status])
    const headers = new Set(Object.keys(objectAt(response, 'headers')).map((name) => name.toLowerCase()))
    return { body: flatten(member(jsonOf(objectAt(response, 'content')), 'schema'), schemas), headers }
  } catch (err) {
    if (err instanceof Unusable) return { body: emptyFlat(), headers: new Set() }
    throw err
  }
}

function jsonOf(content: JsonObject): unknown {
  const media = Object.keys(content).find((type) => /json|^\*\/\*/i.test(type))
  const value = media === undefined ? undefined : content[media]
  return isObject(value) ? value : undefined
}

/** Names of members that describe the page and not its items. */
const ABOUT_PAGE =
  /^(?:.*_)?(?:next|prev(?:ious)?|first|last|total|count|page|pages|per_page|limit|offset|cursor|cursors|has_more|more|links?|meta|metadata|paging|pagination|marker|token|size|start|end|skip|truncated|uri|url|status|ok|success|object|type|kind|etag|response_metadata|info|request_id|warning|self|href|results?_per_page|is_last)(?:_.*)?$/

/** Returns the pointer to the items of a list: the only array beside members about paging. '' means the whole body. */
export function findOutput(members: readonly Member[]): string {
  const top = members.filter(({ pointer }) => !pointer.slice(1).includes('/'))
  const arrays = top.filter(({ flat }) => flat.types.includes('array') || (flat.types.length === 0 && flat.items !== undefined))
  const others = top.filter((member) => !arrays.includes(member))
  const [only] = arrays
  return only !== undefined && arrays.length === 1 && others.every(({ name }) => ABOUT_PAGE.test(name)) ? only.pointer : ''
}

/** One member of a response: its JSON Pointer, its name in snake case (`nextPageToken` → `next_page_token`) and its schema. */
export type Member = { readonly pointer: string; readonly name: string; readonly flat: Flat }

/** Names of objects that contain paging information. */
const CONTAINERS =
  /^(?:.*_)?(?:meta(?:data)?|paging|pagination|page(?:_?info|s)?|page_context|cursors?|links?|next|response_metadata|result_info|list_info)$/

/** Returns the members that may contain paging information: those at the top, and those inside objects with a paging name. */
export function membersOf(flat: Flat, schemas: Schemas, at = '', depth = 0): Member[] {
  return [...flat.properties].flatMap(([key, all]) => {
    const member: Member = {
      pointer: `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      name: plainName(key),
      flat: flatten(all.length === 1 ? all[0] : { allOf: all }, schemas),
    }
    const inside = depth < 3 && member.flat.properties.size > 0 && CONTAINERS.test(member.name)
    return [member, ...(inside ? membersOf(member.flat, schemas, member.pointer, depth + 1) : [])]
  })
}

/** `pageToken`, `PageToken` and `page[token]` all become `page_token`. */
export function plainName(name: string): string {
  return splitWords(name).join('_')
}
