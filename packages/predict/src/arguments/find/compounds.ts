import type { Kind, Piece } from './piece.ts'
import { REQUEST_VERB } from './span-end.ts'

const JOINS = /^\s*(?:,|;|&|\/|,?\s+(?:and|or|as well as|plus)\s)\s*(?:and |or )?(?:the |an? |his |her )?$/

/** Finds enumerations such as "a, b and c": pieces of one kind with only commas and conjunctions between them. */
export function findLists(prompt: string, found: readonly Piece[]): Piece[] {
  const byKind = new Map<Kind, Piece[]>()
  for (const one of found) {
    const kind = one.kind === 'money' || one.kind === 'percent' ? 'number' : one.kind
    byKind.set(kind, [...(byKind.get(kind) ?? []), one])
  }
  return [...byKind.values()].flatMap((same) => {
    const lists: Piece[] = []
    let run: Piece[] = []
    for (const one of [...same].sort((a, b) => a.start - b.start || b.end - a.end)) {
      const last = run.at(-1)
      if (last !== undefined && one.start < last.end) continue
      const isRequest = last !== undefined && one.kind === 'phrase' && REQUEST_VERB.test(one.text.split(' ', 1)[0] ?? '')
      if (isRequest || (last !== undefined && !JOINS.test(prompt.slice(last.end, one.start)))) close()
      if (!isRequest) run.push(one)
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

/** Finds the parts of pieces that hold two values: "acme/web", "Ada Lovelace", "52.52, 13.405". */
export function findHalves(found: readonly Piece[]): Piece[] {
  return found.flatMap(({ kind, text, start, end }): Piece[] => {
    const cut = text.search(
      kind === 'slug' ? /\// : kind === 'code' ? /, ?/ : /^\p{Lu}[\p{Ll}'-]+ \p{Lu}[\p{Ll}'-]+$/u.test(text) ? / / : /$^/,
    )
    if (cut < 0) return []
    const rest = text.slice(cut).search(/[^\s,/]/) + cut
    const first = { text: text.slice(0, cut), start, end: start + cut }
    const second = { text: text.slice(rest), start: start + rest, end, whole: start }
    if (kind === 'slug')
      return [
        { kind: 'owner', ...first },
        { kind: 'repo', ...second },
      ]
    if (kind === 'name')
      return [
        { kind: 'given', ...first },
        { kind: 'family', ...second },
      ]
    if (kind !== 'code') return []
    return [
      { kind: 'number', ...first, number: Number(first.text), unit: 'latitud' },
      { kind: 'number', ...second, number: Number(second.text), unit: 'longitud' },
    ]
  })
}
