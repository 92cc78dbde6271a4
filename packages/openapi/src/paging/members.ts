import type { Flat } from '../schema/flat.ts'
import { flatten, type Schemas } from '../schema/flatten.ts'
import { splitWords } from '../text.ts'

/** One member of an answer: its JSON Pointer, its name in plain words (`nextPageToken` → `next_page_token`) and its schema. */
export type Member = { readonly pointer: string; readonly name: string; readonly flat: Flat }

/** Objects beside the items of a page that tell of its place among the pages. */
const containers =
  /^(?:.*_)?(?:meta(?:data)?|paging|pagination|page(?:_?info|s)?|page_context|cursors?|links?|next|response_metadata|result_info|list_info)$/

/** The members of an answer in which paging may be told: those at its top, and those inside of what is named for paging. */
export function membersOf(flat: Flat, schemas: Schemas, at = '', depth = 0): Member[] {
  return [...flat.properties].flatMap(([key, all]) => {
    const member: Member = {
      pointer: `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      name: plainName(key),
      flat: flatten(all.length === 1 ? all[0] : { allOf: all }, schemas),
    }
    const inside = depth < 3 && member.flat.properties.size > 0 && containers.test(member.name)
    return [member, ...(inside ? membersOf(member.flat, schemas, member.pointer, depth + 1) : [])]
  })
}

/** `pageToken`, `PageToken` and `page[token]` are all `page_token`. */
export function plainName(name: string): string {
  return splitWords(name).join('_')
}
