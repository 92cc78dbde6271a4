import { compilePointer } from '../answer/pointer.ts'
import type { PagingFile } from '../file/app-file.ts'
import type { Cursor } from '../types.ts'
import type { Page, Paging } from './paging.ts'
import { asText, compileMore } from './read-values.ts'

type Style<S extends PagingFile['style']> = Extract<PagingFile, { style: S }>
type Styled = Pick<Paging, 'parameters' | 'check' | 'values' | 'next'>

/** A cursor that the answer gives, or the id of the last item. */
export function byText(file: Style<'cursor'> | Style<'last_id'>): Styled {
  if (file.style === 'cursor') {
    const next = compilePointer(file.next)
    return styled(file.parameter, ({ body }) => asText(next(body)))
  }
  const id = compilePointer(file.id)
  const more = compileMore(file.more)
  return styled(file.parameter, ({ body, items }) => ((more(body) ?? items.length > 0) ? asText(id(items.at(-1))) : null))
}

/** The `pageInfo` of a GraphQL connection (Relay cursor connections). */
export function byRelay(file: Style<'relay'>): Styled {
  const more = compilePointer(`${file.connection}/pageInfo/hasNextPage`)
  const end = compilePointer(`${file.connection}/pageInfo/endCursor`)
  return styled(file.variable ?? 'after', ({ body }) => (more(body) === true ? asText(end(body)) : null))
}

function styled(parameter: string, next: (page: Page) => Cursor | null): Styled {
  return {
    parameters: [parameter],
    values: (cursor) => ({ [parameter]: cursor }),
    check: (cursor) => (typeof cursor === 'string' && cursor !== '' ? null : 'must be text that is not empty'),
    next,
  }
}
