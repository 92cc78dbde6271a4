import type { Option } from './option.ts'

/** The options whose labels have the same words: "Dev-Ops" and "dev ops". */
export type Label = {
  /** Its words, joined by blanks. */
  readonly text: string
  /** In words. */
  readonly length: number
  /** Undefined where they have several values. */
  readonly option: Option | undefined
  /** The same for those of one spelling, by that. */
  readonly spelled: ReadonlyMap<string, Option | undefined>
}

/** By their texts. */
export type Labels = ReadonlyMap<string, Label>

export function labelsOf(options: readonly Option[]): Labels {
  const groups = group(options, ({ words }) => words.join(' '))
  // A label of signs alone.
  groups.delete('')
  return new Map(Array.from(groups, ([text, same]) => [text, labelOf(text, same)]))
}

function labelOf(text: string, options: readonly Option[]): Label {
  const spellings = group(options, ({ label }) => label)
  const spelled = new Map(Array.from(spellings, ([spelling, same]) => [spelling, theOne(same)]))
  return { text, length: text.split(' ').length, option: theOne(options), spelled }
}

function theOne([first, ...others]: readonly Option[]): Option | undefined {
  return others.every(({ value }) => value === first?.value) ? first : undefined
}

function group(options: readonly Option[], keyOf: (option: Option) => string): Map<string, Option[]> {
  const groups = new Map<string, Option[]>()
  for (const option of options) {
    const key = keyOf(option)
    const same = groups.get(key)
    if (same === undefined) groups.set(key, [option])
    else same.push(option)
  }
  return groups
}
