import type { Found, Kind } from './found.ts'

const JOINS = /^\s*(?:,|;|&|\/|,?\s+(?:and|or|as well as|plus)\s)\s*(?:and |or )?(?:the |an? |his |her )?$/

/** What is told one after the other, "a, b and c": pieces of one kind with only commas and "and" between them. */
export function findLists(prompt: string, found: readonly Found[]): Found[] {
  const byKind = new Map<Kind, Found[]>()
  for (const one of found) {
    const kind = one.kind === 'money' || one.kind === 'percent' ? 'number' : one.kind
    byKind.set(kind, [...(byKind.get(kind) ?? []), one])
  }
  return [...byKind.values()].flatMap((same) => {
    const lists: Found[] = []
    let run: Found[] = []
    for (const one of [...same].sort((a, b) => a.start - b.start || b.end - a.end)) {
      const last = run.at(-1)
      if (last !== undefined && one.start < last.end) continue
      if (last !== undefined && !JOINS.test(prompt.slice(last.end, one.start))) close()
      run.push(one)
    }
    close()
    return lists

    function close(): void {
      const [first, last] = [run[0], run.at(-1)]
      if (run.length > 1 && first !== undefined && last !== undefined) {
        lists.push({ kind: 'list', text: prompt.slice(first.start, last.end), start: first.start, end: last.end, members: run })
      }
      run = []
    }
  })
}
