import type { PagingFile } from '../file/app-file.ts'
import type { Paging } from './paging.ts'
import { compileCount, compileMore } from './read-values.ts'

/** A page number, or a number of items to skip. */
export function byNumber(
  file: Extract<PagingFile, { style: 'page' } | { style: 'offset' }>,
): Pick<Paging, 'parameters' | 'atFirst' | 'check' | 'values' | 'next'> {
  const least = file.style === 'page' ? (file.first ?? 1) : 0
  const total = compileCount(file.style === 'page' ? file.total_pages : file.total)
  const more = compileMore(file.more)
  return {
    parameters: [file.parameter],
    atFirst: file.style === 'page' && file.send_first === true ? { [file.parameter]: least } : {},
    values: (cursor) => ({ [file.parameter]: cursor }),
    check: (cursor) => (Number.isSafeInteger(cursor) && Number(cursor) >= least ? null : `must be a whole number, ${least} or more`),
    next({ body, items, current }) {
      const now = typeof current === 'number' ? current : least
      const next = now + (file.style === 'page' ? 1 : items.length)
      const all = total(body)
      const known = more(body) ?? (all === undefined ? undefined : next < all + least)
      // An empty page moves an offset nowhere, whatever the answer says.
      const goesOn = file.style === 'page' ? (known ?? items.length > 0) : items.length > 0 && known !== false
      return goesOn ? next : null
    },
  }
}
