import type { Slot, Want } from '../slot/slot.ts'

/** What the other slots of a function go by: where their values start, another's ends. */
export type Rivals = {
  /** Stems of their names, and of words that people say in their stead. */
  readonly named: ReadonlySet<string>
  readonly synonyms: ReadonlySet<string>
  readonly cues: ReadonlySet<string>
  readonly wants: ReadonlySet<Want>
}

export function rivalsOf(slot: Slot, slots: readonly Slot[]): Rivals {
  const others = slots.filter((other) => other !== slot)
  return {
    named: new Set(others.flatMap(({ telling }) => [...telling])),
    synonyms: new Set(others.flatMap(({ synonyms }) => [...synonyms])),
    cues: new Set(others.flatMap(({ cues }) => [...cues])),
    wants: new Set(others.flatMap(({ wants }) => [...wants])),
  }
}
