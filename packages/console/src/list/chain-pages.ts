import type { Page } from './cursor-list.ts'

/**
 * Reads a list that the API has for each application as one list: the rows of the first key, then the rows of the next. Goes on until a
 * page has at least `size` rows, because a filter can leave few rows of each.
 */
export async function chainPages<Row>(
  keys: readonly string[],
  cursor: string | null,
  size: number,
  load: (key: string, cursor: string | null) => Promise<Page<Row>>,
): Promise<Page<Row>> {
  let [key, inner] = cursor === null ? [keys[0], null] : (JSON.parse(cursor) as [string, string | null])
  const rows: Row[] = []
  while (key !== undefined && keys.includes(key) && rows.length < size) {
    const page: Page<Row> = await load(key, inner)
    rows.push(...page.rows)
    inner = page.next
    if (inner === null) key = keys[keys.indexOf(key) + 1]
  }
  return { rows, next: key === undefined || !keys.includes(key) ? null : JSON.stringify([key, inner]) }
}
