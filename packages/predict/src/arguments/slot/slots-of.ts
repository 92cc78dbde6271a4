import type { ValueSchema } from '@onward/catalog'
import { nameStems, stems } from '../../words/stems.ts'
import type { Fillable } from '../types.ts'
import { examplesOf } from './examples-of.ts'
import type { Slot } from './slot.ts'
import { cuesOf, synonymsOf } from './synonyms.ts'
import { wantsOf } from './wants-of.ts'

/** Words of a name that many parameters share. */
const VAGUE = new Set(nameStems('name id type number value code data info list key unique new the of a is text'))
/** Whether a stem is one that many parameters share. */
export function isVague(stem: string): boolean {
  return VAGUE.has(stem)
}

/** Short names and what they stand for. */
const IN_FULL: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ...{
      desc: 'description',
      msg: 'message',
      qty: 'quantity',
      num: 'number',
      org: 'organization',
      repo: 'repository',
      pos: 'position',
      img: 'image',
    },
    ...{
      addr: 'address',
      lang: 'language',
      lat: 'latitude',
      lon: 'longitude',
      lng: 'longitude',
      amt: 'amount',
      dob: 'birthday',
      q: 'query',
      tz: 'timezone',
    },
    ...{
      tel: 'phone',
      dept: 'department',
      temp: 'temperature',
      vol: 'volume',
      freq: 'frequency',
      dir: 'direction',
      dest: 'destination',
      param: 'parameter',
    },
  }).map(([short, full]) => [nameStems(short)[0] ?? short, nameStems(full)]),
)
const MAX_DEPTH = 2
const MOST = 120

const kept = new WeakMap<Fillable['properties'], readonly Slot[]>()

/** The places for values of a function, properties of objects one by one. The same properties object gives the same slots again. */
export function slotsOf({ properties, required }: Fillable): readonly Slot[] {
  const known = kept.get(properties)
  if (known !== undefined) return known
  const slots = slotsIn(properties, required)
  kept.set(properties, slots)
  return slots
}

export function slotsIn(properties: Fillable['properties'], required: readonly string[]): readonly Slot[] {
  return expand(properties, required, [], 0).slice(0, MOST)
}

function expand(properties: Fillable['properties'], required: readonly string[], above: readonly string[], depth: number): Slot[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...above, name]
    if (schema.type === 'object' && schema.properties !== undefined && depth < MAX_DEPTH)
      return expand(schema.properties, schema.required ?? [], path, depth + 1)
    return [slotOf(path, schema, required.includes(name))]
  })
}

function slotOf(path: readonly string[], schema: ValueSchema, required: boolean): Slot {
  const name = path.at(-1) as string
  const names = [...new Set(nameStems(`${name} ${schema.title ?? ''}`).flatMap((stem) => [stem, ...(IN_FULL.get(stem) ?? [])]))]
  const telling = names.filter((stem) => !VAGUE.has(stem))
  const nameWords = `${name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')} ${schema.title ?? ''}`
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return {
    ...{ path, schema, required, names },
    telling: new Set(telling.length > 0 ? telling : names),
    synonyms: synonymsOf(names),
    cues: cuesOf(nameWords),
    description: new Set(stems(withoutExamples(schema.description ?? ''))),
    examples: examplesOf(
      schema.items?.description === undefined
        ? schema
        : { ...schema, description: `${schema.description ?? ''} ${schema.items.description}` },
    ),
    wants: wantsOf(nameWords, schema),
  }
}

function withoutExamples(description: string): string {
  return description.replace(/\([^)]*\)/g, ' ')
}
