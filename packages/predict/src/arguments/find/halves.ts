import type { Found } from './found.ts'

/** The parts of pieces that are two values in one: "acme/web", "Ada Lovelace", "52.52, 13.405". */
export function findHalves(found: readonly Found[]): Found[] {
  return found.flatMap(({ kind, text, start, end }): Found[] => {
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
