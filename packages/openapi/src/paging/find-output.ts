import type { Member } from './members.ts'

/** What tells of the page and not of its items. */
const aboutPage =
  /^(?:.*_)?(?:next|prev(?:ious)?|first|last|total|count|page|pages|per_page|limit|offset|cursor|cursors|has_more|more|links?|meta|metadata|paging|pagination|marker|token|size|start|end|skip|truncated|uri|url|status|ok|success|object|type|kind|etag|response_metadata|info|request_id|warning|self|href|results?_per_page|is_last)(?:_.*)?$/

/** The pointer to the items of a list: the one array of the answer beside what tells of paging; '' = the whole body. */
export function findOutput(members: readonly Member[]): string {
  const top = members.filter(({ pointer }) => !pointer.slice(1).includes('/'))
  const arrays = top.filter(({ flat }) => flat.types.includes('array') || (flat.types.length === 0 && flat.items !== undefined))
  const others = top.filter((member) => !arrays.includes(member))
  const [only] = arrays
  return only !== undefined && arrays.length === 1 && others.every(({ name }) => aboutPage.test(name)) ? only.pointer : ''
}
