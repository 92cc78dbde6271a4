import type { Found, Kind } from './found.ts'

const STREET =
  /(?<![\p{L}\p{N}])\d{1,6} (?:\p{Lu}[\p{L}\p{N}.']* ){1,4}(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Ln|Lane|Dr|Drive|Ct|Court|Way|Pl|Place|Sq|Square|Pkwy|Parkway|Hwy|Highway|Terrace|Ter|Circle|Cir)\b\.?/gu
/** What follows a street, in the order in which it is written: each part may be missing. */
const REST =
  /^(?:,? (?<unit>(?:Apt|Apartment|Suite|Ste|Unit|Floor|Fl|Room|#)\.? ?[\p{L}\p{N}-]+))?(?:,? (?:in )?(?<city>\p{Lu}[\p{L}.'-]*(?: \p{Lu}[\p{L}.'-]+){0,3}?)(?=[,.]|$| [A-Z]{2}\b| \d{5}))?(?:,? (?<region>[A-Z]{2})\b)?(?:,? (?<postcode>\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}))?/u

/** The parts of postal addresses as they are written in English. */
export function findPostal(prompt: string): Found[] {
  return [...prompt.matchAll(STREET)].flatMap((match) => {
    const end = match.index + match[0].length
    const rest = REST.exec(prompt.slice(end, end + 120))
    let from = end
    const parts = Object.entries(rest?.groups ?? {}).flatMap(([kind, text]): Found[] => {
      if (text === undefined) return []
      const start = prompt.indexOf(text, from)
      from = start + text.length
      return [{ kind: kind as Kind, text, start, end: from }]
    })
    return [{ kind: 'street' as const, text: match[0], start: match.index, end }, ...parts]
  })
}
