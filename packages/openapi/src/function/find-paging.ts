import type { PagingFile } from '@onward/catalog'
import { flatten, type Schemas } from '../schema/flatten.ts'
import type { Field } from './fields.ts'
import { type Member, plainName, type ResponseShape } from './read-response.ts'

/** `owned` are the query parameters that paging sets or replaces; the function does not offer them. */
type Pages = { readonly paging: PagingFile; readonly owned: ReadonlySet<string> }

type Parameter = { readonly field: Field; readonly name: string }

const PAGE = /^(?:page|page_?number|page_?no|page_?index|p|current_page|page_num)$/
const OFFSET = /^(?:offset|skip|start_at|from_index|page_offset)$/
const CURSOR =
  /^(?:(?:page|next|start|after|from|pagination|list)_(?:cursor|token|marker)|cursor|page_?token|next_page_token|next_token|continuation(?:_token)?|marker|after|starting_after|page_after|page_cursor|pagination_(?:cursor|after|token)|next_page|next_cursor|offset_token)$/
const KEYSET = /^(?:starting_after|after_id|last_id|since_id)$/
const BACKWARDS = /^(?:before|ending_before|prev_?cursor|before_id|page_before|pagination_before|until_id)$/

const NEXT_TOKEN =
  /^(?:(?:next|end|after)_(?:page_)?(?:cursor|token|marker|key|offset)|next_?page_?token|next|cursor|continuation(?:_token)?|marker|page_token|next_page|after|starting_after|offset)$/
const NEXT_URL = /^(?:next|next_(?:page_)?(?:url|uri|link|href)|odata_next_link|next_page|next_href)$/
const TOTAL_PAGES = /^(?:total_pages?|page_count|pages|last_page|pages_count|num_pages|number_of_pages|total_page_count)$/
const TOTAL = /^(?:total|total_(?:count|items|results|records|entries|size|elements)|count_total|totals|item_count)$/
const MORE = /^(?:has_more|has_next|has_next_page|more|has_more_items|is_truncated|more_available)$/

/** Returns how an operation pages, or null. Parameters and response must both show it. `output` is the pointer to the items. */
export function findPaging(
  fields: readonly Field[],
  response: ResponseShape,
  members: readonly Member[],
  output: string,
  schemas: Schemas,
): Pages | null {
  const parameters = fields.filter(({ place }) => place === 'query').map((field): Parameter => ({ field, name: plainName(field.name) }))
  const of = (pattern: RegExp) => parameters.find(({ name, field }) => pattern.test(name) && isScalar(field))
  const listed = output !== '' || response.body.types.includes('array')
  const pointer = (pattern: RegExp, ...types: string[]) =>
    members.find(({ name, flat }) => pattern.test(name) && flat.types.some((type) => types.includes(type)))?.pointer
  const paging = choose()
  return paging === null ? null : { paging, owned: ownedBy(paging, parameters) }

  function choose(): PagingFile | null {
    const at = { cursor: of(CURSOR), page: of(PAGE), offset: of(OFFSET), keyset: of(KEYSET) }
    const url = members.find(({ name, flat }) => NEXT_URL.test(name) && isAddress(name, flat))?.pointer
    if (url !== undefined && (at.cursor ?? at.page ?? at.offset)) return { style: 'next_url', next: url }
    const token = at.cursor && nextOf(at.cursor, members)
    if (at.cursor && token !== undefined) return { style: 'cursor', parameter: at.cursor.field.name, next: token }
    if (response.headers.has('link')) {
      const names = [at.page, at.cursor, at.offset, of(/^since$/)].flatMap((found) => (found ? [found.field.name] : []))
      if (names.length > 0) return { style: 'link', parameters: names }
    }
    const hasMore = pointer(MORE, 'boolean')
    const further = hasMore === undefined ? {} : { more: hasMore }
    if (at.keyset && listed && hasMore !== undefined && itemsHaveId()) {
      return { style: 'last_id', parameter: at.keyset.field.name, id: '/id', ...further }
    }
    if (at.page && isNumber(at.page.field)) {
      const pages = pointer(TOTAL_PAGES, 'integer', 'number')
      const { schema } = at.page.field
      const first = schema.default === 0 || schema.minimum === 0 ? { first: 0 } : {}
      const end = pages === undefined ? further : { total_pages: pages, ...further }
      if (listed || Object.keys(end).length > 0) return { style: 'page', parameter: at.page.field.name, ...first, ...end }
    }
    if (at.offset && isNumber(at.offset.field) && listed) {
      const items = pointer(TOTAL, 'integer', 'number')
      return { style: 'offset', parameter: at.offset.field.name, ...(items === undefined ? {} : { total: items }), ...further }
    }
    return null
  }

  function itemsHaveId(): boolean {
    const list = members.find((member) => member.pointer === output)?.flat ?? response.body
    return flatten(list.items, schemas).properties.has('id')
  }
}

/** Finds the next cursor in the response. A pointer that contains `next` or `end_` is preferred, then one with the parameter's name. */
function nextOf(parameter: Parameter, members: readonly Member[]): string | undefined {
  const candidates = members.filter(
    ({ flat }) => flat.types.includes('string') || flat.types.includes('integer') || flat.types.length === 0,
  )
  const scored = candidates
    .filter(({ name }) => NEXT_TOKEN.test(name) || name === parameter.name)
    .map(({ name, pointer }) => ({ pointer, score: (/next|end_/i.test(pointer) ? 2 : 0) + (name === parameter.name ? 1 : 0) }))
    .sort((a, b) => b.score - a.score || a.pointer.length - b.pointer.length || (a.pointer < b.pointer ? -1 : 1))
  return scored[0]?.pointer
}

function ownedBy(paging: PagingFile, parameters: readonly Parameter[]): ReadonlySet<string> {
  const main = 'parameter' in paging ? [paging.parameter] : []
  const several = 'parameters' in paging && Array.isArray(paging.parameters) ? (paging.parameters as readonly string[]) : []
  const rivals = parameters.filter(
    ({ name }) => PAGE.test(name) || BACKWARDS.test(name) || KEYSET.test(name) || (CURSOR.test(name) && name !== 'after'),
  )
  const offsets = paging.style === 'next_url' ? parameters.filter(({ name }) => OFFSET.test(name)) : []
  return new Set([...main, ...several, ...[...rivals, ...offsets].map(({ field }) => field.name)])
}

function isScalar({ schema, required }: Field): boolean {
  return !required && schema.type !== 'object' && schema.type !== 'array' && schema.type !== 'boolean'
}

function isNumber({ schema }: Field): boolean {
  return schema.type === 'integer' || schema.type === 'number'
}

function isAddress(name: string, { types, keywords }: Member['flat']): boolean {
  if (types.length > 0 && !types.includes('string')) return false
  const example = typeof keywords.example === 'string' ? keywords.example : ''
  return /ur[il]|link|href/.test(name) || /ur[il]/i.test(String(keywords.format ?? '')) || /^(?:https?:\/)?\/\S/.test(example)
}
