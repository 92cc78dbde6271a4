import type { ValueSchema } from '@onward/catalog'

const INTRODUCED =
  /(?:\be\.?g\.?[,:]?|\bfor example[,:]?|\bfor instance[,:]?|\bsuch as|\bone of:?|\bcan be:?|\boptions(?: are)?:?|\beither|\bvalues?:)\s+([^)\n.;]*(?:\.\w[^)\n.;]*)*)/gi
/** How a parameter with a source function names it. */
const SOURCE = /Call `[^`]*`[^.]*\./g
const QUOTED = /'([^'\n]{1,60})'|"([^"\n]{1,60})"|`([^`\n]{1,60})`/g
/** "Where it goes: top, bottom or a positive number". */
const LISTED = /: ([\w-]+(?:, [\w-]+)*,? or [\w-]+)/g
const MOST = 30

/** The values that a description gives as examples: "(e.g., easy, hard)", "('daily', 'weekly')", "such as music". */
export function examplesOf(schema: ValueSchema): string[] {
  const description = (schema.description ?? '').replace(SOURCE, '')
  const quoted = [...description.matchAll(QUOTED)].map((match) => match.slice(1).find((group) => group !== undefined) as string)
  const introduced = [...description.matchAll(INTRODUCED), ...description.matchAll(LISTED)].flatMap(([, list = '']) =>
    list.split(/,|\/(?=\s)|\bor\b|\band\b/),
  )
  const cleaned = [...quoted, ...introduced]
    .map((one) => one.replace(/^[\s'"`]+|[\s'"`.]+$/g, ''))
    .filter((one) => one !== '' && one !== 'etc')
  return [...new Set(cleaned)].slice(0, MOST)
}
