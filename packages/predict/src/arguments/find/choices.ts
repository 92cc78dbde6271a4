import { nameStems } from '../../words/stems.ts'
import type { Slot } from '../slot/slot.ts'
import { type Piece, pieceOf } from './piece.ts'
import { isGrammar, type Prompt, type Word } from './prompt.ts'

/** Different names of the same choice. */
const SAME = (
  'asc ascending increasing, desc descending decreasing, jpg jpeg, metric celsius, imperial fahrenheit, ' +
  'done completed complete finished, urgent critical, normal medium, sms text, male man men, female woman women'
)
  .split(', ')
  .map((group) => group.split(' '))

/** Finds enum values and examples of a slot in the prompt, in any inflection. */
export function findChoices(words: readonly Word[], slot: Slot): Piece[] {
  const schema = slot.schema.type === 'array' ? slot.schema.items : slot.schema
  if (schema === undefined || schema.type === 'boolean') return []
  if (schema.type === 'integer') return labelled(words, schema.description ?? '')
  const values = schema.enum ?? (schema.type === 'string' ? slot.examples : [])
  return values.flatMap((value) => {
    if (typeof value !== 'string' || (schema.enum === undefined && !/\p{L}{2}/u.test(value))) return []
    return sayings(value).flatMap((stems) => find(words, stems, value))
  })
}

/** Finds numbers by the labels that the description gives them: "1 urgent, 2 high". */
function labelled(words: readonly Word[], description: string): Piece[] {
  const labels = [...description.matchAll(/(?<![\p{L}\p{N}.])(\d{1,3})(?: is| =|:| -)? (\p{L}+)(?=[,.;)]|$| and)/gu)]
  if (labels.length < 2) return []
  return labels.flatMap(([, figure, label = '']) =>
    find(words, nameStems(label), label).map((found) => ({ ...found, value: Number(figure) })),
  )
}

function sayings(value: string): string[][] {
  const lower = value.toLowerCase()
  const also = SAME.filter((group) => group.includes(lower)).flat()
  return [value, ...also.filter((other) => other !== lower)].map((one) => nameStems(one)).filter((stems) => stems.length > 0)
}

const OBJECT = /^(?:an?|the|my|our|your|his|her|their|this|these|all|another|it|me|us|up|new)$/
const ASKING = /^(?:please|to|you|and|then|let's|just|also)$/

/** In "Open a ticket" and "please close it" the word is the verb of the request, not a value. */
function isVerb(words: readonly Word[], at: number): boolean {
  const opens = at === 0 || ASKING.test(words[at - 1]?.lower ?? '') || /[.!?]\s/.test(words[at]?.before ?? '')
  return opens && OBJECT.test(words[at + 1]?.lower ?? '')
}

function find(words: readonly Word[], stems: readonly string[], value: string): Piece[] {
  const found: Piece[] = []
  for (let at = 0; at + stems.length <= words.length; at++) {
    if (!stems.every((stem, n) => words[at + n]?.stem === stem) || isVerb(words, at)) continue
    // "All-day" does not contain the choice "all".
    if (value === 'all' && words[at + stems.length]?.before === '-') continue
    found.push({ ...pieceOf('choice', words.slice(at, at + stems.length)), text: value, value })
  }
  return found
}

const NO = new Set("don't not no without never disable disabled exclude excluding skip shouldn't isn't aren't off false".split(' '))
/** Stems of opposite words, in both directions. */
const OPPOSITES: Readonly<Record<string, readonly string[]>> = {
  privat: ['public'],
  public: ['privat', 'intern'],
  enabl: ['disabl'],
  activ: ['inact'],
  open: ['close'],
  visibl: ['hidden'],
}
/** Stems in parameter names that do not name the property itself. */
const IDLE = new Set(['i', 'is', 'ha', 'includ', 'enabl', 'us', 'should', 'allow', 'show', 'with', 'flag', 'be', 'requir', 'onli', 'send'])
/** Stems that make a name negative: `disable_comments` is true when there are no comments. */
const DENYING = new Set(['disabl', 'no', 'not', 'skip', 'hide', 'mute', 'without', 'exclud', 'suppress'])

/** Finds words that make a boolean parameter true or false: its name, its opposite, or a negation before it. */
export function findBooleanCues({ words }: Prompt, slot: Slot): Piece[] {
  if (slot.schema.type !== 'boolean') return []
  const denying = slot.names.length > 1 && slot.names.some((name) => DENYING.has(name))
  const wanted = slot.names.filter((name) => !IDLE.has(name) && !(denying && DENYING.has(name)))
  if (wanted.length === 0) return []
  return words.flatMap((word, at): Piece[] => {
    const opposite = wanted.length === 1 && (OPPOSITES[wanted[0] as string]?.includes(word.stem) ?? false)
    const following = words.slice(at, at + 2 * wanted.length).filter(({ stem, lower }) => wanted.includes(stem) || !isGrammar(lower))
    const whole = wanted.every((name, n) => following[n]?.stem === name || (name === 'complet' && following[n]?.lower === 'done'))
    if (!opposite && !whole) return []
    const last = whole ? (following[wanted.length - 1] ?? word) : word
    const no = words
      .slice(Math.max(0, at - 3), words.indexOf(last))
      .findLast(({ lower, stem }) => NO.has(lower) || (denying && DENYING.has(stem)))
    const value = ((no === undefined) !== opposite) !== denying
    return [{ kind: 'boolean-cue', text: '', start: Math.min(no?.start ?? word.start, word.start), end: last.end, value }]
  })
}
