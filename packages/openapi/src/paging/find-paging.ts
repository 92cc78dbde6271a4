import type { PagingFile } from '@onward/catalog'
import type { Field } from '../request/field.ts'
import type { AnswerShape } from '../request/read-answer.ts'
import { flatten, type Schemas } from '../schema/flatten.ts'
import { type Member, plainName } from './members.ts'

export type Pages = {
  readonly paging: PagingFile /** Names in the query that are paging's, or of no use beside it. */
  readonly owned: ReadonlySet<string>
}

type Parameter = { readonly field: Field; readonly name: string }

const page = /^(?:page|page_?number|page_?no|page_?index|p|current_page|page_num)$/
const offset = /^(?:offset|skip|start_at|from_index|page_offset)$/
const cursor =
  /^(?:(?:page|next|start|after|from|pagination|list)_(?:cursor|token|marker)|cursor|page_?token|next_page_token|next_token|continuation(?:_token)?|marker|after|starting_after|page_after|page_cursor|pagination_(?:cursor|after|token)|next_page|next_cursor|offset_token)$/
const keyset = /^(?:starting_after|after_id|last_id|since_id)$/
const backwards = /^(?:before|ending_before|prev_?cursor|before_id|page_before|pagination_before|until_id)$/

const nextToken =
  /^(?:(?:next|end|after)_(?:page_)?(?:cursor|token|marker|key|offset)|next_?page_?token|next|cursor|continuation(?:_token)?|marker|page_token|next_page|after|starting_after|offset)$/
const nextUrl = /^(?:next|next_(?:page_)?(?:url|uri|link|href)|odata_next_link|next_page|next_href)$/
const totalPages = /^(?:total_pages?|page_count|pages|last_page|pages_count|num_pages|number_of_pages|total_page_count)$/
const total = /^(?:total|total_(?:count|items|results|records|entries|size|elements)|count_total|totals|item_count)$/
const more = /^(?:has_more|has_next|has_next_page|more|has_more_items|is_truncated|more_available)$/

/** How an operation goes from page to page, where parameters and answer both show it; null = it does not. `output` points at the items. */
export function findPaging(
  fields: readonly Field[],
  answer: AnswerShape,
  members: readonly Member[],
  output: string,
  schemas: Schemas,
): Pages | null {
  const parameters = fields.filter(({ place }) => place === 'query').map((field): Parameter => ({ field, name: plainName(field.name) }))
  const of = (pattern: RegExp) => parameters.find(({ name, field }) => pattern.test(name) && isScalar(field))
  const listed = output !== '' || answer.body.types.includes('array')
  const pointer = (pattern: RegExp, ...types: string[]) =>
    members.find(({ name, flat }) => pattern.test(name) && flat.types.some((type) => types.includes(type)))?.pointer
  const paging = choose()
  return paging === null ? null : { paging, owned: ownedBy(paging, parameters) }

  function choose(): PagingFile | null {
    const at = { cursor: of(cursor), page: of(page), offset: of(offset), keyset: of(keyset) }
    const url = members.find(({ name, flat }) => nextUrl.test(name) && isAddress(name, flat))?.pointer
    if (url !== undefined && (at.cursor ?? at.page ?? at.offset)) return { style: 'next_url', next: url }
    const token = at.cursor && nextOf(at.cursor, members)
    if (at.cursor && token !== undefined) return { style: 'cursor', parameter: at.cursor.field.name, next: token }
    if (answer.headers.has('link')) {
      const names = [at.page, at.cursor, at.offset, of(/^since$/)].flatMap((found) => (found ? [found.field.name] : []))
      if (names.length > 0) return { style: 'link', parameters: names }
    }
    const hasMore = pointer(more, 'boolean')
    const further = hasMore === undefined ? {} : { more: hasMore }
    if (at.keyset && listed && hasMore !== undefined && itemsHaveId()) {
      return { style: 'last_id', parameter: at.keyset.field.name, id: '/id', ...further }
    }
    if (at.page && isNumber(at.page.field)) {
      const pages = pointer(totalPages, 'integer', 'number')
      const { schema } = at.page.field
      const first = schema.default === 0 || schema.minimum === 0 ? { first: 0 } : {}
      const told = pages === undefined ? further : { total_pages: pages, ...further }
      if (listed || Object.keys(told).length > 0) return { style: 'page', parameter: at.page.field.name, ...first, ...told }
    }
    if (at.offset && isNumber(at.offset.field) && listed) {
      const items = pointer(total, 'integer', 'number')
      return { style: 'offset', parameter: at.offset.field.name, ...(items === undefined ? {} : { total: items }), ...further }
    }
    return null
  }

  function itemsHaveId(): boolean {
    const list = members.find((member) => member.pointer === output)?.flat ?? answer.body
    return flatten(list.items, schemas).properties.has('id')
  }
}

/** Where the answer tells the next value of a cursor: best under the parameter's own name inside of something that is next. */
function nextOf(parameter: Parameter, members: readonly Member[]): string | undefined {
  const candidates = members.filter(
    ({ flat }) => flat.types.includes('string') || flat.types.includes('integer') || flat.types.length === 0,
  )
  const scored = candidates
    .filter(({ name }) => nextToken.test(name) || name === parameter.name)
    .map(({ name, pointer }) => ({ pointer, score: (/next|end_/i.test(pointer) ? 2 : 0) + (name === parameter.name ? 1 : 0) }))
    .sort((a, b) => b.score - a.score || a.pointer.length - b.pointer.length || (a.pointer < b.pointer ? -1 : 1))
  return scored[0]?.pointer
}

function ownedBy(paging: PagingFile, parameters: readonly Parameter[]): ReadonlySet<string> {
  const main = 'parameter' in paging ? [paging.parameter] : []
  const several = 'parameters' in paging && Array.isArray(paging.parameters) ? (paging.parameters as readonly string[]) : []
  const rivals = parameters.filter(
    ({ name }) => page.test(name) || backwards.test(name) || keyset.test(name) || (cursor.test(name) && name !== 'after'),
  )
  const plain = paging.style === 'next_url' ? parameters.filter(({ name }) => offset.test(name)) : []
  return new Set([...main, ...several, ...[...rivals, ...plain].map(({ field }) => field.name)])
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
