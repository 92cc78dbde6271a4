import type { Slot } from '../slot/slot.ts'
import type { Piece } from './piece.ts'
import { isGrammar, type Prompt } from './prompt.ts'

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
    return [
      {
        kind: 'boolean-cue',
        text: '',
        start: Math.min(no?.start ?? word.start, word.start),
        end: last.end,
        value: ((no === undefined) !== opposite) !== denying,
      },
    ]
  })
}
