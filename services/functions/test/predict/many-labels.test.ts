import { findLabel } from '../../src/predict/names/find-label.ts'
import type { NameQuery, Option } from '../../src/predict/names/options.ts'
import { foldedWords } from '../../src/predict/names/prompt-words.ts'

const WANTED: NameQuery = { nouns: ['channel'], about: ['post'], span: undefined, required: true }

function optionOf(value: unknown, label: string): Option {
  return { value, label, words: foldedWords(label).map(({ text }) => text) }
}

function find(prompt: string, labels: readonly (readonly [unknown, string])[]): unknown {
  return findLabel(prompt, { options: labels.map(([value, label]) => optionOf(value, label)), complete: true }, WANTED)?.option.value
}

describe('findLabel, for options with similar labels,', () => {
  it.each([
    [
      'returns no option when a label has several values',
      'post to general',
      [
        ['C1', 'general'],
        ['C2', 'general'],
      ],
      undefined,
    ],
    [
      'returns no option when such a label is misspelled',
      'post to the genral channel',
      [
        ['C1', 'general'],
        ['C2', 'general'],
      ],
      undefined,
    ],
    [
      'returns the value that all options of a label share',
      'post to general',
      [
        ['C1', 'general'],
        ['C1', 'general'],
      ],
      'C1',
    ],
    [
      'returns the option with the spelling of the prompt',
      'post to General',
      [
        ['C1', 'general'],
        ['C2', 'General'],
      ],
      'C2',
    ],
    [
      'returns no option when no label has the spelling of the prompt',
      'post to GENERAL',
      [
        ['C1', 'general'],
        ['C2', 'General'],
      ],
      undefined,
    ],
    [
      'returns no option when two labels have the spelling of the prompt',
      'post to General',
      [
        ['C1', 'General'],
        ['C2', 'General'],
        ['C3', 'general'],
      ],
      undefined,
    ],
    [
      'prefers the longer label',
      'post to dev ops',
      [
        ['C1', 'dev'],
        ['C2', 'dev'],
        ['C3', 'Dev-Ops'],
      ],
      'C3',
    ],
    [
      'ignores the spelling at another place in the prompt',
      'General: post to channel general',
      [
        ['C1', 'general'],
        ['C2', 'General'],
      ],
      undefined,
    ],
  ] as const)('%s', (_what, prompt, labels, value) => {
    expect(find(prompt, labels)).toBe(value)
  })
})

describe('findLabel, for a thousand options with the same label,', () => {
  // Counts how often the words of an option are read.
  function thousand(idOf: (number: number) => string) {
    const counted = { reads: 0, options: [] as Option[] }
    counted.options = Array.from({ length: 1_000 }, (_, number) => ({
      value: idOf(number),
      label: 'general',
      get words() {
        counted.reads++
        return ['general']
      },
    }))
    return counted
  }

  it.each([
    ['the same value', () => 'C1', 'C1'],
    ['different values', (number: number) => `C${number}`, undefined],
  ] as const)('reads the options once, not for each word of the prompt, when they have %s', (_what, idOf, value) => {
    const counted = thousand(idOf)
    expect(findLabel('to general '.repeat(250), { options: counted.options, complete: true }, WANTED)?.option.value).toBe(value)
    expect(counted.reads).toBeLessThanOrEqual(5_000)
  })
})
